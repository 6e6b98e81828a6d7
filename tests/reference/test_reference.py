"""The reference solver against cases worked out by hand."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest

from .positions import random_position, random_positions
from .reference import (
    EMPTY_BOARD,
    ENGLISH_VALUES,
    PASS,
    Board,
    Play,
    Reference,
    State,
    format_cgp,
    labelled_draws,
    leftover,
    parse_cgp,
    put_on,
    transposed,
)

COMMON_WORDS = """
AA AB AD AE AG AH AI AL AM AN AR AS AT AW AX AY BA BE BI BO BY DE DO ED EF EH EL EM EN ER ES EX FA FE GO HA
HE HI HM HO ID IF IN IS IT JO KA KI LA LI LO MA ME MI MM MU MY NA NE NO NU OD OE OF OH OM ON OP OR OS OW OX
OY PA PE PI QI RE SH SI SO TA TI TO UH UM UN UP US UT WE WO XI XU YA YE YO ZA ACE ACT ADD AGE AGO AID AIM
AIR ALE ALL AND ANT ANY APE APT ARC ARE ARK ARM ART ASH ASK ATE AWE BAD BAG BAN BAR BAT BED BEE BEG BET BID
BIG BIT BOX BOY BUD BUS BUT BUY CAB CAN CAP CAR CAT COD COG COT COW CRY CUE CUP CUT DAD DAY DEN DID DIE DIG
DIM DOE DOG DOT DRY DUE EAR EAT EEL EGG ELF END ERA EVE EYE FAN FAR FAT FEE FEW FIG FIN FIT FIX FLY FOE FOG
FOR FOX FUN FUR GAP GAS GET GOD GUM GUN HAD HAM HAS HAT HEN HER HID HIM HIS HIT HOE HOG HOT HOW ICE ILL INK
ION ITS JAM JAR JAW JET JOB JOY KEY KID KIN KIT LAD LAP LAW LAY LEG LET LID LIE LIP LIT LOG LOT LOW MAD MAN
MAP MAT MAY MEN MET MIX MUD NET NEW NIL NOD NOR NOT NOW NUT OAK OAR OAT ODD OIL OLD ONE OUR OUT OWE OWL OWN
PAD PAN PAT PAY PEA PEN PET PIE PIG PIN PIT POT PUT RAG RAN RAT RAW RAY RED RIB RID ROD ROT ROW RUB RUG RUN
SAD SAT SAW SAY SEA SEE SET SHE SIN SIR SIT SIX SKY SON SUN TAN TAP TAR TEA TEN THE TIE TIN TOE TON TOO TOP
TOY TRY TWO USE VAN VET WAR WAS WAX WAY WET WHO WHY WIN YES YET YOU ZOO ALSO AREA ARMY BACK BALL BAND BANK
BASE BEAR BEEN BEST BIRD BLUE BOAT BODY BOOK BOTH CALL CARD CARE CASE CITY COLD COME COOL DARK DATA DEAL
DEAR DEEP DOOR DOWN EACH EAST EASY EDGE EVEN FACE FACT FARM FAST FEAR FEEL FIND FINE FIRE FISH FIVE FOOD
FORM FOUR FREE GAME GIRL GIVE GOLD GOOD HAIR HAND HARD HEAD HEAR HEAT HELP HIGH HILL HOLD HOME HOPE HOUR
IDEA INTO ITEM KIND KING LAND LAST LATE LEAD LEFT LIFE LINE LIST LIVE LONG LOOK LOSS LOVE MAIN MAKE MANY
MIND MOON MORE NAME NEAR NEED NEWS NINE NOTE ONCE ONLY OPEN OVER PAGE PARK PART PAST PLAN PLAY RAIN RATE
READ REAL REST RIDE RISE ROAD ROOM RULE SAFE SALE SAME SEAT SEED SELL SEND SHIP SIDE SIGN SITE SIZE SNOW
SOIL SONG SOON SORT STAR STEP STOP SURE TAKE TALK TEAM TELL TERM TEST TIME TOLD TONE TOUR TREE TURN UNIT
UPON USER VIEW VOTE WAIT WALK WANT WAVE WEEK WEST WIDE WIFE WILD WIND WORD WORK YEAR ZERO ZONE
""".split()


def board_with(*lines: tuple[int, int, bool, str]) -> Board:
    """A board with words put on it: row, column, across, text."""
    rows = [["."] * 15 for _ in range(15)]
    for row, column, across, text in lines:
        for step, letter in enumerate(text):
            rows[row + (0 if across else step)][column + (step if across else 0)] = letter
    return tuple("".join(row) for row in rows)


def by_name(plays: list[Play]) -> dict[str, Play]:
    return {play.move: play for play in plays}


# ---------------------------------------------------------------- moves and scores


def names(reference: Reference, board: Board, rack: str) -> dict[str, int]:
    return {str(move): move.score for move in reference.moves(board, rack)}


def test_moves_around_one_word() -> None:
    """AT in the middle of the board, an S on the rack, words AT, ATS, SAT, AS, TA."""
    reference = Reference(["AT", "ATS", "SAT", "AS", "TA"])
    board = board_with((7, 7, True, "AT"))
    assert names(reference, board, "S") == {
        "8H ..S": 3,  # 8J is plain
        "8G S..": 3,  # 8G is plain
        "H8 .S": 2,  # AS downwards; H9 is plain
        "pass": 0,
    }


def test_one_tile_forming_two_words_is_one_play_across() -> None:
    reference = Reference(["AT", "AS", "TS"])
    board = board_with((7, 7, True, "A"), (8, 6, True, "T"))
    # An S on H9 forms TS across and AS downwards: one play, written across.
    assert names(reference, board, "S") == {"9G .S": 4, "8H .S": 2, "G9 .S": 2, "pass": 0}


def test_opening_moves_cover_the_centre_and_need_two_tiles() -> None:
    reference = Reference(["AB"])
    assert names(reference, EMPTY_BOARD, "AB") == {
        "8G AB": 8,
        "8H AB": 8,
        "H7 AB": 8,
        "H8 AB": 8,
        "pass": 0,
    }
    assert names(reference, EMPTY_BOARD, "A") == {"pass": 0}


def test_blank_choices_and_values() -> None:
    reference = Reference(["AT", "ATE", "ATX"])
    board = board_with((7, 7, True, "AT"))
    # 8J is plain: A 1 + T 1, and the blank is worth nothing; AT again from a blank needs the rack's A or T.
    assert names(reference, board, "?") == {"8H ..e": 2, "8H ..x": 2, "H8 .t": 1, "I7 a.": 1, "pass": 0}
    # Both the blank and the tile as E are plays of their own.
    assert {"8H ..e", "8H ..E"} <= set(names(reference, board, "?E"))


def test_premiums_parallel_plays_and_the_bonus() -> None:
    reference = Reference(["ON", "NO", "OX", "NX", "QUIXOTE", "EN", "XO", "AXO"])
    board = board_with((7, 7, True, "ON"))
    # XO under ON forms OX and NO downwards; the O stands on a double letter.
    assert names(reference, board, "OX")["9H XO"] == (8 + 2 * 1) + (1 + 8) + (1 + 2 * 1)
    # Row 1: a triple word at 1H, double letters at 1D and 1L, seven tiles from 1D to 1J.
    top = board_with((1, 9, False, "N"))
    assert names(reference, top, "QUIXOTE")["1D QUIXOTE"] == ((2 * 10 + 1 + 1 + 8 + 1 + 1 + 1) * 3 + (1 + 1) + 50)


def test_moves_against_every_placement_tried() -> None:
    """Every way of laying out rack tiles on a real board, checked square by square, gives the same moves."""
    reference = Reference(COMMON_WORDS)
    board = board_with((7, 5, True, "HEARt"), (4, 7, False, "SEA"), (7, 9, False, "tOW"), (9, 9, True, "WE"))
    for rack in ("EST", "A?"):
        assert {str(move) for move in reference.moves(board, rack)} == every_placement(reference, board, rack)


def every_placement(reference: Reference, board: Board, rack: str) -> set[str]:
    found = {"pass"}
    for count in range(1, len(rack) + 1):
        for order in set(itertools.permutations(rack, count)):
            choices = [reference.alphabet if tile == "?" else [tile] for tile in order]
            for letters in itertools.product(*choices):
                tiles = [low.lower() if tile == "?" else low for tile, low in zip(order, letters, strict=True)]
                for row, column, across in itertools.product(range(15), range(15), (True, False)):
                    name = placement(reference, board, row, column, across, tiles)
                    if name:
                        found.add(name)
    return found


def placement(reference: Reference, board: Board, row: int, column: int, across: bool, tiles: list[str]) -> str | None:
    """The notation of these tiles laid from here on, or None if that is no legal play."""
    squares: dict[tuple[int, int], str] = {}
    while len(squares) < len(tiles) and row < 15 and column < 15:
        if board[row][column] == ".":
            squares[row, column] = tiles[len(squares)]
        elif not squares:
            return None
        row, column = (row, column + 1) if across else (row + 1, column)
    if len(squares) < len(tiles):
        return None
    filled = {(r, c): board[r][c] for r in range(15) for c in range(15) if board[r][c] != "."} | squares

    def run(square: tuple[int, int], step: tuple[int, int]) -> list[tuple[int, int]]:
        r, c = square
        while (r - step[0], c - step[1]) in filled:
            r, c = r - step[0], c - step[1]
        line = []
        while (r, c) in filled:
            line.append((r, c))
            r, c = r + step[0], c + step[1]
        return line

    along, aside = ((0, 1), (1, 0)) if across else ((1, 0), (0, 1))
    main = run(next(iter(squares)), along)
    crossing = [line for line in (run(square, aside) for square in squares) if len(line) > 1]
    if len(main) == 1 or (len(main) == len(squares) and not crossing):
        return None
    if any("".join(filled[s] for s in line).upper() not in reference.words for line in [main, *crossing]):
        return None
    if len(squares) == 1 and not across and crossing:
        return None
    text = "".join(squares.get(square, ".") for square in main)
    number, letter = str(main[0][0] + 1), "ABCDEFGHIJKLMNO"[main[0][1]]
    return f"{number}{letter} {text}" if across else f"{letter}{number} {text}"


# ---------------------------------------------------------------- endgames


def test_endgame_by_hand() -> None:
    """We hold S, the opponent Q; AT on the board takes an S once. Going out with ATS: 3 + twice the Q."""
    reference = Reference(["AT", "ATS"])
    board = board_with((7, 7, True, "AT"))
    plays = by_name(reference.solve(board, "S", "Q", spread=-23))
    assert plays["8H ..S"].outcomes == {"[]": (1, "D")}
    assert plays["8H ..S"].spreads == {"[]": 0}
    # After our pass the opponent can only pass: the game is over, and -23 - 1 + 10.
    assert plays["pass"].spreads == {"[]": -14}
    assert plays["8H ..S"].spread == 0 and plays["8H ..S"].certain


def test_endgame_blocks_instead_of_scoring() -> None:
    """The opponent (Z) threatens AZ 1 + 10 at one place; playing AS there blocks it, and the Z is stuck."""
    reference = Reference(["AS", "AZ", "AB", "ABB"])
    board = board_with((14, 13, True, "A"))
    # The A on 15N can be prolonged only to 15O, a triple word.
    state = State(board, "SQ", "Z", "", 0)
    # AS scores 2 * 3 = 6, then nobody can play: -10 for our Q, +10 for their Z.
    # The pass lets the Z out: -(11 * 3) - 2 * 11.
    assert reference.endgame(state) == 6 - 10 + 10


def test_passes_end_the_game() -> None:
    reference = Reference(["AT"])
    board = board_with((7, 7, True, "AT"))
    plays = reference.solve(board, "VV", "QJ", opponent_rack_size=2, spread=-10)
    # Nobody can play: pass, pass: -10 - 8 + 18 = 0.
    assert [(play.move, play.outcomes) for play in plays] == [("pass", {"[]": (1, "D")})]
    # After five scoreless turns our pass ends it: the same, and with tiles in the bag too.
    plays = reference.solve(board, "VV", "QJJ", opponent_rack_size=2, spread=-10, scoreless=5)
    # J in the bag (2 of 3): their Q and J count 18, a draw; Q in the bag: 16, a loss by 2.
    assert plays[0].outcomes == {"[]J": (2, "D"), "[]Q": (1, "L")}
    assert plays[0].certain and plays[0].spread is None and plays[0].points == 1
    with pytest.raises(ValueError, match="the game is over"):
        reference.solve(board, "VV", "QJ", scoreless=6)


@pytest.mark.parametrize("scoreless", range(6))
def test_passing_is_worth_the_worse_of_stopping_and_the_opponents_best_play(scoreless: int) -> None:
    """With our best play worth a, what the opponent's best leaves us b, and T if both stop: max(a, min(b, T))."""
    reference = Reference(["AT", "ATS"])
    board = board_with((7, 7, True, "AT"))
    # Nothing to play for us. The opponent's ATS goes out: 3 and twice our V. Both stop: our V and their S.
    play = reference.solve(board, "V", "S", opponent_rack_size=1, spread=7, scoreless=scoreless)[0]
    stopped, gone_out = 7 - 4 + 1, 7 - 3 - 2 * 4
    assert play.move == "pass" and play.spreads == {"[]": stopped if scoreless == 5 else gone_out}
    # With an E in the bag the opponent draws it after ATS, and then both stop: 4 - 3 - 4 + 1.
    play = reference.solve(board, "V", "ES", opponent_rack_size=1, spread=4, scoreless=scoreless)[0]
    assert play.outcomes == {"[]E": (1, "W" if scoreless == 5 else "L"), "[]S": (1, "W")}
    assert play.certain == (scoreless == 5)


def test_blanks_alone_can_be_the_sixth_scoreless_turn() -> None:
    reference = Reference(["AT", "AA", "TA"])
    # A blank at the end of the column of a blank: nothing but blanks in the word.
    board = board_with((7, 7, True, "Ta"))
    moves = {str(move): move.score for move in reference.moves(board, "?")}
    assert moves["I8 .a"] == 0
    at = by_name(reference.solve(board, "?Q", "JJJ", opponent_rack_size=2, spread=1, scoreless=5))
    # The game is over with the J that we drew: 1 - 10 - 8 + 16.
    assert at["I8 .a"].outcomes == {"[J]": (3, "L")} and at["I8 .a"].spreads == {"[J]": -1}
    # Playing one's last tile comes first.
    out = by_name(reference.solve(board, "?", "J", opponent_rack_size=1, spread=1, scoreless=5))
    assert out["I8 .a"].spreads == {"[]": 1 + 2 * 8}
    # Before that the blanks end a run of passes, and no more.
    state = State(board, "?Q", "J", "", 0, passes=1)
    (move,) = [move for move in reference.moves(board, "?Q") if str(move) == "I8 .a"]
    assert reference.play(state, move).passes == 0


# ---------------------------------------------------------------- pre-endgames


def test_labelled_draws() -> None:
    assert labelled_draws("EIU", 1, 0) == {("", "E"): 1, ("", "I"): 1, ("", "U"): 1}
    assert labelled_draws("EEI", 2, 1) == {("E", "E"): 2, ("E", "I"): 2, ("I", "E"): 2}
    assert labelled_draws("EEI", 2, 5) == {("EE", ""): 2, ("EI", ""): 4}
    assert sum(labelled_draws("EEIIIOOUSTR", 4, 2).values()) == 11 * 10 * 9 * 8
    assert labelled_draws("AAEGI", 4, 3)["AEG", "I"] == 2 * 6


def test_one_in_the_bag_by_hand() -> None:
    """After ATS nobody can play. We draw one of V, V, Q and the spread is 3 + spread - our tile + theirs."""
    reference = Reference(["AT", "ATS"])
    board = board_with((7, 7, True, "AT"))
    plays = by_name(reference.solve(board, "S", "QVV", opponent_rack_size=2, spread=-13))
    assert set(plays) == {"8H ..S", "pass"}
    ats = plays["8H ..S"]
    # Draw V: -13 + 3 - 4 + 14 = 0. Draw Q: -13 + 3 - 10 + 8 = -12.
    assert ats.outcomes == {"[V]": (2, "D"), "[Q]": (1, "L")}
    assert ats.spreads == {"[V]": 0, "[Q]": -12} and ats.spread == -4
    assert ats.points == 1 and ats.total == 3 and ats.certain
    # The opponent replies to the pass with a pass: -13 - 1 + 14 = 0 or -13 - 1 + 8.
    assert plays["pass"].outcomes == {"[]Q": (1, "L"), "[]V": (2, "D")}
    assert not plays["pass"].certain and plays["pass"].spreads is None
    # The opponent known to hold the Q: only the draws of a V are left.
    known = by_name(reference.solve(board, "S", "QVV", 2, -13, known="Q"))
    assert known["8H ..S"].outcomes == {"[V]": (2, "D")}


# An E fits at two places: ABE, which takes a V afterwards, and CDE, which takes a J. Whoever plays the E
# draws the last tile: at the right place it goes out with it, at the wrong one the other player goes out
# there. With E 20, V 1, J 4:
#   ABE, drawing the V: wins by much. ABE, drawing the J: ABE 24 - ABEV 25 - 2 * 4, that is -9.
#   CDE, drawing the J: wins by much. CDE, drawing the V: CDE 25 - CDEJ 29 - 2 * 1, that is -6.
#   The pass: the other player passes, and the E costs 20.
BLIND_REFERENCE = Reference(["ABE", "ABEV", "CDE", "CDEJ"], {**ENGLISH_VALUES, "E": 20, "V": 1, "J": 4})
BLIND_BOARD = board_with((7, 7, True, "AB"), (9, 1, True, "CD"))


def test_the_two_places_of_the_blind_choice() -> None:
    plays = by_name(BLIND_REFERENCE.solve(BLIND_BOARD, "E", "JV", opponent_rack_size=1, spread=6))
    assert {move: play.outcomes for move, play in plays.items()} == {
        "8H ..E": {"[V]": (1, "W"), "[J]": (1, "L")},
        "10B ..E": {"[V]": (1, "D"), "[J]": (1, "W")},
        "pass": {"[]V": (1, "L"), "[]J": (1, "L")},
    }
    assert plays["8H ..E"].spreads is not None and plays["8H ..E"].spreads["[J]"] == 6 - 9
    assert plays["10B ..E"].points == 1.5


@pytest.mark.parametrize(
    ("spread", "bag", "expected"),
    [
        (6, "V", "D"),  # CDE is worth 1.5 points and ABE 1: we play CDE, although ABE would win
        (6, "J", "W"),
        (0, "V", "L"),  # one point each: we might play either, and the worse counts
        (0, "J", "L"),
    ],
)
def test_we_choose_blind(spread: int, bag: str, expected: str) -> None:
    other_rack = "J" if bag == "V" else "V"
    state = State(BLIND_BOARD, "E", other_rack, bag, spread)
    assert BLIND_REFERENCE.outcome(state, True, "", "guaranteed") == expected
    # Seeing the bag we would always win.
    seeing = [
        BLIND_REFERENCE.outcome(BLIND_REFERENCE.play(state, move), False, "", "guaranteed")
        for move in BLIND_REFERENCE.moves(BLIND_BOARD, "E")
    ]
    assert "W" in seeing
    # What we know of the opponent's rack tells us the bag, here.
    assert BLIND_REFERENCE.outcome(state, True, other_rack, "guaranteed") == "W"


def test_the_rational_opponent_chooses_blind_too() -> None:
    """The same with the roles exchanged: we hold the J and pass, the opponent has the E and leads by 6."""

    def after_pass(opponent: str, known: str = "") -> dict[str, tuple[int, str]]:
        plays = BLIND_REFERENCE.solve(BLIND_BOARD, "J", "EV", 1, -6, known=known, opponent=opponent)
        return by_name(plays)["pass"].outcomes

    # V in the bag: it may stumble into ABE, which wins for it; choosing by points it plays CDE, a draw. E
    # in the bag: it holds the V, can only pass, and -6 - 4 + 1.
    assert after_pass("guaranteed") == {"[]V": (1, "L"), "[]E": (1, "L")}
    assert after_pass("rational") == {"[]V": (1, "D"), "[]E": (1, "L")}
    # That we know its E changes nothing for the opponent.
    assert after_pass("rational", known="E") == {"[]V": (1, "D")}


def test_what_is_known_of_the_opponents_rack_lasts() -> None:
    assert leftover("AAE?", "AES") == "?A"
    assert leftover("E", "E?") == ""
    # The opponent plays a V of which we knew, or did not: the outcome after it goes by what is still known.
    state = State(BLIND_BOARD, "E", "J", "V", 6)
    reference = BLIND_REFERENCE
    opponents_turn = state._replace(rack="J", other_rack="E", spread=-6)
    # The opponent can only pass; our next pass would end the game, so we play the E, blind or not.
    assert reference.outcome(opponents_turn, False, "", "guaranteed") == "D"
    assert reference.outcome(opponents_turn, False, "J", "guaranteed") == "W"


def test_a_play_that_takes_fewer_tiles_than_the_bag_holds() -> None:
    """Two in the bag and nobody can play after ATS: we draw one, one stays, and the order of what stays is
    told.
    """
    reference = Reference(["AT", "ATS"])
    board = board_with((7, 7, True, "AT"))
    play = by_name(reference.solve(board, "S", "BQV", opponent_rack_size=1, spread=-4))["8H ..S"]
    # -4 + 3 - ours + theirs, B 3, Q 10, V 4; each player passes.
    assert play.outcomes == {
        "[B]Q": (1, "D"),
        "[B]V": (1, "W"),
        "[Q]B": (1, "L"),
        "[Q]V": (1, "L"),
        "[V]B": (1, "W"),
        "[V]Q": (1, "L"),
    }
    assert not play.certain and play.spread is None and play.points == 2.5


# ---------------------------------------------------------------- random positions


def numbers(count: int, quick: int) -> list[Any]:
    """Random positions by number; most take long, and all but a quick one are left to the oracle tests."""
    return [pytest.param(number, marks=[pytest.mark.oracle] * (number != quick)) for number in range(count)]


@pytest.mark.parametrize("opponent", ["guaranteed", "rational"])
@pytest.mark.parametrize("number", numbers(3, quick=1))
def test_transposing_the_board_changes_nothing(number: int, opponent: str) -> None:
    position = random_position(tuple(COMMON_WORDS), 1, number)
    turned_position = replace(position, board=transposed(position.board))
    reference = Reference(position.words)
    plays = reference.solve(*position.solve_arguments(), opponent=opponent)
    turned = reference.solve(*turned_position.solve_arguments(), opponent=opponent)
    assert sorted(sorted(play.outcomes.items()) for play in plays) == sorted(
        sorted(play.outcomes.items()) for play in turned
    )
    assert {play.total for play in plays} == {plays[0].total}


@pytest.mark.parametrize("number", numbers(6, quick=0))
def test_bag_emptying_plays_know_no_model_and_need_no_knowledge(number: int) -> None:
    position = random_position(tuple(COMMON_WORDS), 2, number)
    board, rack, unseen, size, spread, scoreless, known = position.solve_arguments()
    reference = Reference(position.words)
    full = by_name(reference.solve(board, rack, unseen, size, spread, scoreless))
    for play in reference.solve(board, rack, unseen, size, spread, scoreless, known, "rational"):
        if play.certain:
            unrestricted = full[play.move].outcomes
            assert all(outcome == unrestricted[draw][1] for draw, (_, outcome) in play.outcomes.items())


def test_random_positions_depend_on_the_seed_and_number_alone() -> None:
    first, second, third = random_positions(COMMON_WORDS, seed=3, stop=3)
    again = random_position(tuple(COMMON_WORDS), 3, 2)
    assert third == again and first != second
    assert 1 <= third.bag_size <= 3 and str(third) == str(again)


# ---------------------------------------------------------------- CGP


def test_cgp() -> None:
    text = (
        "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/"
        "ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G6D7 ENOSTXY/ACEISUY 356/378 0 lex NWL20; ld english;"
    )
    position = parse_cgp(text)
    assert position.rack == "ENOSTXY" and position.opponent_rack == "ACEISUY"
    assert position.scores == (356, 378) and position.scoreless == 0
    assert position.opcodes == {"lex": "NWL20", "ld": "english"}
    assert position.board[2] == "...U..TAURINE.." and position.board[9] == "ABy.PIT..BRIG.."
    written = format_cgp(position.board, "ENOSTXY", "ACEISUY", (356, 378), 0)
    assert text.startswith(written + " lex")
    with pytest.raises(ValueError, match="not 15x15"):
        parse_cgp("15/15 A/ 0/0 0")


def test_moves_leave_tiles_where_they_say() -> None:
    board = board_with((7, 7, True, "AT"))
    assert put_on(board, PASS) == board
    reference = Reference(["AT", "ATS"])
    move = next(move for move in reference.moves(board, "?") if str(move) == "8H ..s")
    assert put_on(board, move) == board_with((7, 7, True, "ATs"))
