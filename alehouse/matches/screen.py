"""A match on the whole screen of a terminal: the table, the log, and the answers to choose from. It needs the extra `play` (textual)."""

from collections.abc import Callable
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.widgets import Footer, OptionList, RichLog, Static

from alehouse.matches import words
from alehouse.matches.match import Match

READY = "I am player_{seat}, and nobody else can see the screen"


class Screen(App[None]):
    """A match on the whole screen."""

    TITLE = "alehouse"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #above { height: 1fr; }
    #table { width: 3fr; padding: 0 1; }
    #log { width: 2fr; padding: 0 1; border-left: solid $primary; }
    #note { height: auto; max-height: 6; padding: 0 1; }
    #question { height: auto; padding: 0 1; text-style: bold; border-top: solid $primary; }
    #answers { height: auto; max-height: 10; border: none; }
    """
    BINDINGS: ClassVar[Any] = [
        Binding("h", "hint", "Hint"),
        Binding("u", "undo", "Undo"),
        Binding("question_mark", "explain", "Explain", key_display="?"),
        Binding("s", "save", "Save"),
        Binding("pagedown", "scroll_table(1)", "Table", key_display="PgUp PgDn", priority=True),
        Binding("pageup", "scroll_table(-1)", "Table", show=False, priority=True),
        Binding("q", "leave", "Leave"),
        Binding("ctrl+c", "leave", "Leave", show=False, priority=True),
    ]

    def __init__(self, match: Match, teach: bool = False) -> None:
        super().__init__()
        self.match, self.teach = match, teach
        self.looking: int | None = None  # the seat of the person at the screen
        self.typed = ""  # the digits typed since the question was put
        self.comment = ""  # what the teacher says of the last answer
        self.busy = False

    def compose(self) -> ComposeResult:
        """Make the parts of the screen."""
        with Horizontal(id="above"):
            with VerticalScroll(id="table", can_focus=False):
                yield Static(id="words", markup=False)
            yield RichLog(id="log", wrap=True, min_width=10)
        yield Static(id="note", markup=False)
        yield Static(id="question", markup=False)
        yield OptionList(id="answers", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        """Begin where the match stands."""
        humans = self.match.humans
        self.looking = humans[0] if len(humans) == 1 else None
        self.go_on()

    def go_on(self) -> None:
        """Show the table, and let agents answer in the background if one of them is asked."""
        self.typed = ""
        if not self.match.over and not self.match.waiting:
            self.show()
            self.work(lambda: [self.call_from_thread(self.show) for _ in self.match.play_on()], self.go_on, "agents play ...")
            return
        if self.match.waiting and len(self.match.humans) > 1 and self.looking != self.match.seat:
            self.looking = None
        elif self.match.waiting:
            self.looking = self.match.seat
        self.show()

    def work(self, job: Callable[[], Any], then: Callable[[], None], note: str) -> None:
        """Do something that takes a while in the background, then go on."""
        self.busy = True
        self.note(note)
        self.show_answers()

        def run() -> None:
            fault = ""
            try:
                job()
            except (ValueError, OSError) as error:
                fault = " ".join(str(error).split())
            self.call_from_thread(done, fault)

        def done(fault: str) -> None:
            self.busy = False
            self.note(fault or self.comment)
            if fault:
                self.show()
            else:
                then()

        self.run_worker(run, thread=True, exit_on_error=False)

    def note(self, text: str) -> None:
        """Show a message above the question."""
        self.query_one("#note", Static).update(text)

    def show(self) -> None:
        """Show what the person at the screen may know."""
        seat = None if self.match.over else self.looking
        hidden = seat is None and not self.match.over
        self.query_one("#words", Static).update("" if hidden else self.match.text(seat))
        log = self.query_one("#log", RichLog)
        log.clear()
        for one in () if hidden else self.match.log(seat):
            log.write(words.sentence(one, self.match.players, seat))
            for line in one.then:
                log.write(f"  {line}")
        self.show_answers()

    def show_answers(self) -> None:
        """Put the open question with its answers."""
        answers, question = self.query_one("#answers", OptionList), self.query_one("#question", Static)
        answers.clear_options()
        if self.match.over:
            question.update("The game is over.\n" + "\n".join(words.result(self.match)))
        elif self.busy:
            question.update("")
        elif self.looking is None:
            question.update(f"player_{self.match.seat} is asked.")
            answers.add_option(READY.format(seat=self.match.seat))
        elif self.match.waiting:
            view = self.match.view(self.match.seat)
            assert view.asked is not None
            rule = f" (rule {view.asked.rule})" if view.asked.rule else ""
            question.update(f"You are player_{self.match.seat}: {view.asked.prompt}{rule}")
            answers.add_options([Content(f"{k:3} {one.words}") for k, one in enumerate(view.options, 1)])
        if answers.option_count:
            answers.highlighted = 0
            answers.focus()

    def on_key(self, event: Key) -> None:
        """Move to the answer whose number is typed."""
        answers = self.query_one("#answers", OptionList)
        if event.character and event.character in "0123456789" and self.looking is not None:
            self.typed = next(
                (text for text in (self.typed + event.character, event.character) if 1 <= int(text) <= answers.option_count), ""
            )
            if self.typed:
                answers.highlighted = int(self.typed) - 1

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Give the answer that was chosen, or show the table to the person who says to be there."""
        if self.busy or self.match.over:
            return
        if self.looking is None:
            self.looking = self.match.seat
            self.note("")
            self.show()
        elif self.match.waiting:
            self.answer(event.option_index)

    def answer(self, index: int) -> None:
        """Give an answer; a teacher says what it cost."""
        options = self.match.view(self.match.seat).options
        action, self.comment = options[index].action, ""

        def job() -> None:
            if self.teach and len(options) > 1:
                self.comment = f"{options[index].words}: {words.cost(self.match.hint(), options, action)}"
            self.match.act(action)

        self.work(job, self.go_on, "playing each answer out ..." if self.teach else "...")

    def action_hint(self) -> None:
        """Say what the best answers are worth."""
        if self.busy or not self.match.waiting or self.looking is None:
            return
        lines = list[str]()
        options = self.match.view(self.match.seat).options

        def then() -> None:
            self.show_answers()
            self.note("\n".join(lines))

        self.work(lambda: lines.extend(words.hinted(self.match.hint(), options)), then, "playing each answer out ...")

    def action_undo(self) -> None:
        """Take back the last answer of a person."""
        if self.busy:
            return
        self.comment = ""
        try:
            self.match.undo()
            self.note("taken back")
            self.go_on()
        except ValueError as error:
            self.note(str(error))

    def action_explain(self) -> None:
        """Explain the question."""
        if not self.busy and self.match.waiting and self.looking is not None:
            self.note("\n".join(words.explained(self.match.tables)))

    def action_scroll_table(self, pages: int) -> None:
        """Show what stands further down on the table, or further up."""
        table = self.query_one("#table", VerticalScroll)
        (table.scroll_page_down if pages > 0 else table.scroll_page_up)(animate=False)

    def action_save(self) -> None:
        """Write the game so far as a replay."""
        path = self.match.path.with_suffix(".json")
        try:
            self.match.replay().save(path)
            self.note(f"{path}: alehouse replay {path} shows it")
        except OSError as error:
            self.note(f"{path}: {error.strerror}")

    def action_leave(self) -> None:
        """Leave; the match can go on later."""
        self.exit()
