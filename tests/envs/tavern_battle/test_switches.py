"""Every switch of the rules, in each of its settings (TB-R27)."""

from alehouse.envs.tavern_battle.layout import NUMBERS

from tests.envs.tavern_battle import test_combat, test_end, test_round, test_trade
from tests.envs.scene import rule, worked

TESTED = {
    "mask_bad_claims": (test_round.test_bad_claims_can_be_masked, test_round.test_claims_are_asked_of_all_by_default),
    "max_offer": (test_trade.test_max_offer, test_trade.test_a_sale),
    "agitation_effects": (test_trade.test_agitation_cards_in_the_game, test_trade.test_agitation_without_effects, test_trade.test_elbow),
    "ko_heroes_score": (test_end.test_ko_heroes_score_unless_the_switch_says_no,),
    "base_support": (test_combat.test_arrivals_support_and_heroes_do_not,),
    "treasures_per_player": (test_trade.test_treasures_dealt,),
}


def test_every_switch_has_a_test() -> None:
    assert {key.removeprefix("switch.") for key in NUMBERS if key.startswith("switch.")} == set(TESTED)


@rule("TB-R27")
def test_switches_stand_as_the_rules_say() -> None:
    numbers = worked("tavern_battle")
    found = {key.removeprefix("switch."): numbers[key].value for key in numbers if key.startswith("switch.")}
    assert found == {
        "mask_bad_claims": "off",
        "max_offer": 0,
        "agitation_effects": "trade",
        "ko_heroes_score": "yes",
        "base_support": "on",
        "treasures_per_player": 6,
    }
