/* Connect four in C, as fast as its writer could make it: the yardstick for the compiled games.

   Built and driven by c_twin.py. The board is that of envs/reference/connect_four.py: columns of 7 bits, the lowest six are cells. */

#include <stdint.h>
#include <string.h>

#define COLUMNS 7
#define HEIGHT 7
#define ROWS 6
#define TOP 0x810204081020ULL /* the highest cell of each column */

typedef struct {
    uint64_t board[2];
    uint64_t luck;
    int32_t turn;
} Table;

static inline uint64_t next(uint64_t *luck) {
    uint64_t x = (*luck += 0x9E3779B97F4A7C15ULL);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

static inline int four(uint64_t board) {
    uint64_t found = 0;
    for (int k = 0; k < 4; k++) {
        int way = (int[]){1, HEIGHT - 1, HEIGHT, HEIGHT + 1}[k];
        uint64_t pairs = board & (board >> way);
        found |= pairs & (pairs >> (2 * way));
    }
    return found != 0;
}

static inline int legal(const Table *t, int *columns) {
    uint64_t taken = t->board[0] | t->board[1];
    int n = 0;
    for (int c = 0; c < COLUMNS; c++) {
        columns[n] = c;
        n += !((taken >> (c * HEIGHT + ROWS - 1)) & 1);
    }
    return n;
}

/* Take one random decision. Return 1 if the game has ended; the next one then begins at once. */
static inline int decide(Table *t) {
    int columns[COLUMNS + 1], n = legal(t, columns);
    int column = columns[(uint32_t)(((next(&t->luck) >> 32) * (uint64_t)n) >> 32)];
    uint64_t bottom = 1ULL << (column * HEIGHT), taken = t->board[0] | t->board[1];
    t->board[t->turn] |= (taken + bottom) & (63ULL << (column * HEIGHT)) & ~taken;
    taken = t->board[0] | t->board[1];
    if (four(t->board[t->turn]) || (taken & TOP) == TOP) {
        t->board[0] = t->board[1] = 0;
        t->turn = 0;
        return 1;
    }
    t->turn ^= 1;
    return 0;
}

/* Write the boards, that of the seat to move first, and its mask: one byte for each cell and column. */
static inline void surface(const Table *t, uint8_t *obs, int8_t *mask) {
    for (int k = 0; k < 2; k++) {
        uint64_t board = t->board[t->turn ^ k];
        for (int c = 0; c < COLUMNS; c++) {
            uint64_t column = (board >> (c * HEIGHT)) & 63;
            for (int r = 0; r < ROWS; r++) *obs++ = (column >> r) & 1;
        }
    }
    uint64_t taken = t->board[0] | t->board[1];
    for (int c = 0; c < COLUMNS; c++) mask[c] = !((taken >> (c * HEIGHT + ROWS - 1)) & 1);
}

/* Take one decision at each of n tables, write what the next seat sees, and return how many games ended. */
int64_t step(Table *tables, uint8_t *obs, int8_t *mask, int64_t n) {
    int64_t games = 0;
    for (int64_t i = 0; i < n; i++) {
        games += decide(&tables[i]);
        surface(&tables[i], obs + i * 2 * COLUMNS * ROWS, mask + i * COLUMNS);
    }
    return games;
}

/* Play whole games at one table and return the number of decisions. */
int64_t play(uint64_t seed, int64_t games) {
    Table t = {{0, 0}, seed, 0};
    int64_t decisions = 0;
    while (games) {
        games -= decide(&t);
        decisions++;
    }
    return decisions;
}
