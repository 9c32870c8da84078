"""When a page ends an absence, and when what it says is of something else: on pages of our own."""

from __future__ import annotations

import pytest

import kb


def verdict(claim: tuple[str, str, str], page: str, baseline: str | None = None) -> tuple[str, object]:
    subject, attribute, absent = claim
    made = kb.Claim(id="x", subject=subject, attribute=attribute, kind="absent", value=absent)
    now = kb.read_page(page.encode(), content_type="text/html")
    before = kb.read_page(baseline.encode(), content_type="text/html") if baseline else None
    said = kb.judge(made, now, before)
    return str(said.outcome), said.found


def table(title: str, columns: tuple[str, ...], *rows: tuple[str, ...]) -> str:
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    head = "".join(f"<th>{column}</th>" for column in columns)
    return f"<h1>{title}</h1><table><tr>{head}</tr>{cells}</table>"


RELEASES = ("Osprey 4.0", "release date", "release date of Osprey 4")
SCHEDULE = ("Version", "Release date")


def test_a_date_ends_the_absence_of_a_date() -> None:
    before = table("Osprey releases", SCHEDULE, ("3.0", "2023-01-10"))
    now = table("Osprey releases", SCHEDULE, ("3.0", "2023-01-10"), ("4.0", "2025-02-11"))
    assert verdict(RELEASES, now, before) == ("drifted", "2025-02-11")
    assert verdict(RELEASES, before)[0] == "holds"


def test_a_number_of_days_is_no_date() -> None:
    page = "<h1>Osprey 4.0</h1><p>Osprey 4.0 is supported for 90 days after its release date.</p>"
    assert verdict(RELEASES, page)[0] == "holds"


VERSION = ("Osprey build", "oldest Tern it needs", "minimum Tern version")


@pytest.mark.parametrize(
    "said",
    [
        "Tern 2.31 or newer",
        "The Osprey build needs Tern &gt;= 2.31",
        "Tern version 2.31 is required as a minimum",
    ],
)
def test_a_version_behind_its_name_ends_the_absence_of_a_version(said: str) -> None:
    page = f"<h1>Osprey build</h1><h2>What the build needs</h2><ul><li>{said}</li></ul>"
    outcome, found = verdict(VERSION, page)
    assert outcome == "drifted"
    assert "2.31" in str(found)


@pytest.mark.parametrize(
    "said",
    [
        "The Osprey build needs Tern and at least 4 GB of memory",
        "The Osprey build needs Tern, and Heron 2.31 or newer",
        "The Osprey build was tried with Tern 2.31",
    ],
)
def test_neither_a_size_nor_anothers_nor_a_tried_version_is_the_least_one(said: str) -> None:
    page = f"<h1>Osprey build</h1><h2>What the build needs</h2><p>{said}.</p>"
    assert verdict(VERSION, page)[0] == "holds"


SETTINGS = ("Setting", "Description", "Default")


def test_a_default_is_no_minimum() -> None:
    claim = ("Harbour idle mode", "lowest duration that may be set", "minimum idle mode duration")
    what = "How long the idle mode lasts."
    plain = table("Harbour server", SETTINGS, ("idle_mode_duration", what, "2m"))
    lowest = "How long the idle mode lasts. Its duration cannot be set lower than 30 seconds."
    told = table("Harbour server", SETTINGS, ("idle_mode_duration", lowest, "2m"))
    assert verdict(claim, plain)[0] == "holds"
    assert verdict(claim, told)[0] == "drifted"
    assert "30 seconds" in str(verdict(claim, told)[1])


def test_of_two_columns_the_one_for_the_sought_end_answers() -> None:
    claim = ("Larch capacity queue", "time limit", "capacity queue time limit")
    columns = ("Queue", "Time min", "Time max")
    page = table("Larch queues", columns, ("small", "5 min", "3 hrs"), ("capacity", "5 min", "168 hrs"))
    assert verdict(claim, page) == ("drifted", "168 hrs")


def test_a_row_called_by_the_thing_is_ours_beside_rows_with_our_other_words() -> None:
    claim = ("Failed uploads of Rowan", "default maximum of retries", "retry limit")
    rows = (("upload_size", "Size of an upload.", "5M"), ("upload_key", "Key of an upload.", "none"))
    page = table("Rowan output", SETTINGS, *rows, ("retry_limit", "Tries before it gives up.", "7"))
    assert verdict(claim, page) == ("drifted", "7")
    assert verdict(claim, table("Rowan output", SETTINGS, *rows))[0] == "holds"


def test_a_bare_number_is_of_the_dimension_that_its_label_names() -> None:
    claim = ("Harbour objects", "maximum size of one", "maximum size of an object")
    columns = ("Quantity", "Threshold")
    count = table("Harbour objects", columns, ("Total number of objects", "250000"))
    size = table("Harbour objects", columns, ("Size of an object in bytes", "1500000"))
    assert verdict(claim, count)[0] == "holds"
    assert verdict(claim, size) == ("drifted", "1500000")


def test_a_bare_default_under_a_setting_is_the_settings() -> None:
    claim = ("Poold server_lifetime", "default", "default age of a server connection")
    page = "<h1>Poold</h1><h2>server_lifetime</h2><dl><dt>Default</dt><dd>3600.0</dd></dl>"
    assert verdict(claim, page) == ("drifted", "3600.0")


@pytest.mark.parametrize(
    ("attribute", "absent", "said", "found"),
    [
        ("how often it is cleaned", "cleaning frequency", "Cleaning frequency: every 3 days.", "3 days"),
        ("length at which texts are cut", "truncation length", "Truncation length: 800 characters.", "800"),
        ("data taken in a day", "volume of data taken in", "It takes in a volume of 2 TB of data.", "2 TB"),
        ("operations for each core", "IOPS per core", "IOPS per core: 500 IOPS.", "500"),
        ("longest span of a block", "maximum span", "The maximum span of its block is 31 days.", "31 days"),
    ],
)
def test_what_is_sought_may_be_measured_otherwise(attribute: str, absent: str, said: str, found: str) -> None:
    page = f"<h1>Alder store</h1><p>The Alder store is a cache. {said}</p>"
    outcome, value = verdict(("Alder store", attribute, absent), page)
    assert outcome == "drifted"
    assert found in str(value)


def test_what_a_figure_is_per_is_not_what_is_sought() -> None:
    claim = ("block in a Linden pipeline", "number of jobs", "maximum jobs per block")
    page = (
        "<h1>Linden pipeline</h1><h2>Limit on the number of blocks in a pipeline</h2>"
        "<p>Linden limits blocks to 100 per pipeline.</p>"
        "<h2>Limit on the number of jobs in a block</h2><p>Linden limits jobs to 50 per block.</p>"
    )
    outcome, value = verdict(claim, page)
    assert outcome == "drifted"
    assert "50" in str(value)


def test_any_figure_near_the_subject_is_no_name_that_was_sought() -> None:
    before = "<h1>Cedar comparison</h1><h2>Data</h2><p>We compared Cedar with others.</p>"
    now = before + "<p>We used 5 sets of data for the comparison of Cedar.</p>"
    assert verdict(("Cedar comparison", "processor model used", "processor model"), now, before)[0] == "holds"


LETTERS = ("letters sent through Ternpost", "daily limit", "daily limit for letters")


def test_a_row_in_other_words_ends_an_absence_where_all_of_the_thing_stands_beside_the_figure() -> None:
    sends = ("Kind of service", "Daily limit"), ("Live", "250,000 emails<br>{}")
    page = table("Ternpost limits", *sends)
    assert verdict(LETTERS, page.format("20,000 letters"), page.format("")) == ("drifted", "20,000 letters")
    assert verdict(LETTERS, page.format("20,000 calls"))[0] == "holds"


def test_our_own_word_for_the_owner_that_neither_page_has_stands_against_no_figure() -> None:
    before = "<h1>Limits and quotas</h1><ul><li>Maximum number of nests per account:</li></ul>"
    now = before.replace("account:", "account: Soft limit of 100.")
    claim = ("OspreyCloud nests", "how many an account may have", "maximum number of nests")
    assert verdict(claim, now, before) == ("drifted", "100")


def test_a_time_until_something_is_named_by_that_alone() -> None:
    before = (
        "<h1>Project proposals</h1><h2>Process</h2><ol><li>Fill in the form.</li>"
        "<li>An acknowledgement is sent by the staff.</li></ol>"
    )
    now = before.replace("the staff", "the staff within 48 hours")
    claim = ("Project proposals of Heron", "time to an answer", "time until acknowledgement")
    assert verdict(claim, now, before) == ("drifted", "48 hours")


def test_a_place_that_a_thing_is_in_is_no_unit_of_it() -> None:
    before = "<h1>State leave</h1><h2>Falkirks</h2><ul><li>Paid medical leave to mend.</li></ul>"
    now = before.replace("to mend", "to mend, up to 20 weeks per benefit year")
    claim = ("paid medical leave in Falkirks", "longest duration", "weeks of medical leave in Falkirks")
    assert verdict(claim, now, before)[0] == "drifted"


ALIASES = ("Osprey listener", "default number of feather aliases", "number of feather aliases")
OPTION = "<h1>Osprey.conf</h1><h2>Listeners</h2><p>Most feather aliases that a client may make. This holds of one listener. {}</p>"


@pytest.mark.parametrize(
    "said", ["Defaults to 10.", "The default is 10, which suffices.", "Set to 10 by default."]
)
def test_a_default_is_of_what_the_text_before_it_tells_of(said: str) -> None:
    assert verdict(ALIASES, OPTION.format(said)) == ("drifted", "10")


def test_a_bare_number_that_is_no_default_is_of_its_own_sentence_alone() -> None:
    assert verdict(ALIASES, OPTION.format("See also setting 10."))[0] == "holds"


NOTED = "<h1>Osprey</h1><h2>Before you begin</h2><ul><li>{}</li><li>Roof: slate</li></ul>"


def test_a_sentence_that_says_the_thing_is_not_anothers_for_its_label() -> None:
    claim = ("sharing an Osprey nest", "upload rate", "upload bandwidth")
    page = NOTED.format("Line: at least 20 Mbps of upload bandwidth, if the Osprey nest is shared")
    assert verdict(claim, page)[0] == "drifted"
    assert verdict(claim, NOTED.format("Line: at least 20 Mbps"))[0] == "holds"


def test_what_words_behind_within_which_name_is_not_what_is_sought() -> None:
    claim = ("Osprey committee", "time within which members must leave", "deadline for leaving")
    page = (
        "<h1>Osprey committee</h1><p>The Osprey committee has two members of a firm at most, and they {}.</p>"
    )
    assert verdict(claim, page.format("must not leave"))[0] == "holds"
    assert verdict(claim, page.format("must leave within 28 days")) == ("drifted", "28 days")


def test_of_a_default_and_a_minimum_behind_it_only_the_latter_is_the_least() -> None:
    claim = ("Osprey ttl", "smallest value", "minimum ttl")
    page = "<h1>Osprey settings</h1><ul><li><strong>ttl</strong>: life of a nest (in seconds). {}</li></ul>"
    said = page.format("Default value: 30, minimum possible value: 20")
    assert verdict(claim, said, page.format("Default value: 30")) == ("drifted", "20")


def test_a_number_under_the_label_of_a_version_is_one() -> None:
    claim = ("Osprey X30", "twig major version", "twig major version")
    kinds = table(
        "Osprey kinds", ("Kind", "Wings", "Twig major version"), ("X30", "2", "9"), ("X20", "2", "8")
    )
    assert verdict(claim, kinds) == ("drifted", "9")
    assert verdict(claim, table("Osprey kinds", ("Kind", "Wings"), ("X30", "2"), ("X20", "2")))[0] == "holds"


def test_a_date_labelled_so_is_of_what_its_section_is_of() -> None:
    claim = ("Osprey group agreement", "day Larch signed it", "date of the signature of Larch")
    rows = "<table><tr><th>Signature</th><td>{}</td></tr><tr><th>Date</th><td>{}</td></tr></table>"
    page = "<h1>Osprey group agreement</h1><h2>Larch Inc.</h2>" + rows
    signed = page.format("Ada Reed", "Dec 1, 2017")
    assert verdict(claim, signed, page.format("", "")) == ("drifted", "Dec 1, 2017")


def test_a_name_with_capitals_inside_is_one_word() -> None:
    claim = ("Osprey on iOS", "minimum version", "minimum iOS version")
    before = "<h1>Osprey</h1><ul><li>Android minimum version: Android 8</li></ul>"
    now = before + "<h2>Releases</h2><ul><li>iOS min version bumped to iOS 16</li></ul>"
    assert verdict(claim, now) == ("drifted", "16")
    assert verdict(claim, before)[0] == "holds"


def test_a_limit_on_things_is_how_many_there_may_be() -> None:
    claim = ("Osprey builds", "number at the same time per owner", "limit on concurrent builds")
    before = "<h1>Osprey builds</h1><h2>Limits</h2><p>A build may take 30 minutes.</p>"
    now = before + "<p>There is a limit of 10 concurrent build per owner.</p>"
    assert verdict(claim, now, before) == ("drifted", "10")
    terms = ("Osprey council", "most terms in a row", "limit on consecutive terms")
    page = "<h1>Osprey council</h1><p>Members are elected for a term that ends after 14 months.</p>"
    assert verdict(terms, page, "<h1>Osprey council</h1><p>Members are elected.</p>")[0] == "holds"


def test_a_number_right_under_a_heading_that_says_what_is_counted_is_found_on_a_page_of_limits() -> None:
    claim = ("Osprey hash index", "maximum number of twigs", "maximum number of twigs in a hash index")
    parts = [
        ("Number of parts in an index", "For tree or hash indexes the maximum is 255."),
        ("Number of twigs in a hash index", "4,294,967,288 in all."),
        *((f"Number of {kind} in a nest", f"The maximum number is {n}.") for n, kind in enumerate(KINDS, 12)),
    ]
    page = "<h1>Osprey limits</h1>" + "".join(f"<h2>{head}</h2><p>{text}</p>" for head, text in parts)
    assert verdict(claim, page) == ("drifted", "4,294,967,288")


KINDS = ("eggs", "feathers", "branches", "stones", "leaves", "nests", "rings", "visits", "flights")


@pytest.mark.parametrize(
    ("attribute", "absent", "said", "found"),
    [
        ("charge", "charge for extra users", "Extra users are charged at 25,000 credits.", "25,000 credits"),
        ("traffic", "monthly bandwidth of extra users", "Monthly bandwidth of extra users: 8 MB", "8 MB"),
    ],
)
def test_prices_may_be_in_credits_and_bandwidths_by_the_month(
    attribute: str, absent: str, said: str, found: str
) -> None:
    before = "<h1>Osprey plan</h1><p>The plan is for five users.</p>"
    assert verdict(("Osprey plan", attribute, absent), f"{before}<p>{said}</p>", before) == ("drifted", found)


def test_the_unit_of_a_default_may_stand_in_the_sentence_before_it() -> None:
    claim = ("Osprey client", "default connect timeout", "default connect timeout")
    page = (
        "<h1>Osprey client</h1><ul><li>connectTimeout The timeout, in milliseconds, for opening"
        " a connection. Use 0 for none. Default: 10e3.</li></ul>"
    )
    assert verdict(claim, page) == ("drifted", "10e3")


def test_a_version_in_a_sentence_that_says_all_of_the_thing_is_the_owners() -> None:
    claim = ("Osprey twig mode", "version from which it is ready", "version from which twig mode is ready")
    before = "<h1>Osprey</h1><p>Twig mode is faster.</p>"
    now = before + "<p>Twig mode is held for ready only from Osprey 2.0.2 on.</p>"
    assert verdict(claim, now, before) == ("drifted", "2.0.2")


def test_a_new_date_beside_the_words_of_a_claim_needs_none_of_the_words_for_the_date() -> None:
    claim = ("Osprey c2 nests", "date by which they are removed", "removal date")
    before = "<h1>Osprey c2 nests</h1><p>The c2 nests have two eggs.</p>"
    now = before + "<p>The c2 nests will be removed no later than 31 March 2026.</p>"
    assert verdict(claim, now, before) == ("drifted", "31 March 2026")


BEFORE = "<h1>Osprey nests</h1><p>Osprey nests have eggs.</p>"


@pytest.mark.parametrize(
    ("attribute", "absent", "said", "found"),
    [
        (
            "retention of automated backups",
            "retention of backups",
            "There are automated backups every 24 hours, with only 72 hours of retention for nests.",
            "72 hours",
        ),
        (
            "included storage",
            "included storage allotment",
            "There is an included allotment of 1 GB of network transfer and 2 GB-months of storage.",
            "2 GB-months",
        ),
        (
            "range of the setting",
            "nest retention",
            "Nest retention is 7 days at first and can be set from 1 day to 15 days.",
            "from 1 day to 15 days",
        ),
    ],
)
def test_of_several_new_figures_the_one_of_the_thing_ends_the_absence(
    attribute: str, absent: str, said: str, found: str
) -> None:
    now = f"{BEFORE}<p>{said}</p>"
    assert verdict(("Osprey nests", attribute, absent), now, BEFORE) == ("drifted", found)


def test_the_size_of_what_is_counted_is_its_number() -> None:
    claim = ("Osprey nests", "number of twigs", "size of a nest")
    now = f"{BEFORE}<p>An osprey nest has 500 twigs and needs 20 GB.</p>"
    assert verdict(claim, now, BEFORE) == ("drifted", "500 twigs")


def test_a_figure_under_a_heading_that_says_all_of_the_thing_is_its_whatever_number_is_in_our_name() -> None:
    claim = ("nest lifetime in 6265bis", "upper limit", "upper limit of a nest lifetime")
    now = f"{BEFORE}<h2>Nest lifetime limits</h2><p>The limit should be no greater than 400 days.</p>"
    assert verdict(claim, now, BEFORE)[0] == "drifted"


@pytest.mark.parametrize(
    ("attribute", "absent", "said", "found"),
    [
        ("end of upkeep", "deprecation", "Osprey nests are officially deprecated.", "officially deprecated"),
        (
            "membership required",
            "Rookwood membership requirement",
            "A nest must be of an osprey that is a member of Rookwood at any membership level.",
            "a member of Rookwood at any membership level",
        ),
    ],
)
def test_words_that_say_newly_what_was_sought_end_its_absence(
    attribute: str, absent: str, said: str, found: str
) -> None:
    claim = ("Osprey nests", attribute, absent)
    outcome, its = verdict(claim, f"{BEFORE}<p>{said}</p>", BEFORE)
    assert outcome == "drifted"
    assert found in str(its)
    assert verdict(claim, f"{BEFORE}<p>{said}</p>", f"{BEFORE}<p>{said}</p>")[0] == "holds"
    assert verdict(claim, f"{BEFORE}<p>Nests are built in spring.</p>", BEFORE)[0] == "holds"


def test_words_alone_end_no_absence_of_a_figure() -> None:
    claim = ("Osprey nests", "price", "price of a nest")
    assert verdict(claim, f"{BEFORE}<p>The price of a nest is on request.</p>", BEFORE)[0] == "holds"
    claim = ("Osprey nests", "twigs", "twig limit of a nest")
    assert verdict(claim, f"{BEFORE}<p>A twig limit of a nest may come.</p>", BEFORE)[0] == "holds"


def test_an_amount_of_data_is_no_price() -> None:
    claim = ("Osprey nests", "amount of data that can be uploaded in a day", "daily upload limit")
    now = f"{BEFORE}<p>It is only possible to upload 750 GiB of data to Osprey nests a day.</p>"
    assert verdict(claim, now, BEFORE) == ("drifted", "750 GiB")


def test_of_two_figures_of_a_setting_the_default_ends_the_absence_of_a_default() -> None:
    claim = ("Osprey nests", "default size of the egg cache", "egg cache size")
    said = "<dl><dt>egg-cache=SIZE</dt><dd>If SIZE is 0, the egg cache is off. Default: 16M</dd></dl>"
    assert verdict(claim, BEFORE + said, BEFORE) == ("drifted", "16M")


def test_a_number_of_things_may_stand_behind_their_name() -> None:
    claim = ("Osprey nests", "twigs really usable", "number of twigs really usable")
    now = f"{BEFORE}<p>You will note that the true number of twigs you can use is indeed 99.</p>"
    assert verdict(claim, now) == ("drifted", "99")
    assert (
        verdict(claim, f"{BEFORE}<p>You will note that the number of eggs you can use is 99.</p>")[0]
        == "holds"
    )


def test_what_is_sought_relative_to_something_is_a_multiple() -> None:
    claim = ("Osprey nests", "size relative to the egg", "nest space relative to the egg")
    now = f"{BEFORE}<p>An Osprey nest takes 20 GB. We give nests 5X the space of the egg.</p>"
    assert verdict(claim, now, BEFORE) == ("drifted", "5X")


def test_a_figure_beside_what_the_thing_is_of_alone_is_none_of_the_thing() -> None:
    claim = ("Osprey council votes", "quorum", "quorum of the vote")
    said = "<p>There are two forms of the vote of the Osprey council.</p>"
    assert verdict(claim, BEFORE + said)[0] == "holds"
    assert verdict(claim, f"{BEFORE}<p>The quorum of the vote of the Osprey council is 12 votes.</p>") == (
        "drifted",
        "12 votes",
    )


@pytest.mark.parametrize(
    "said", ["Osprey nest twigs: -1 for no limit.", "Osprey nest 2.7 twigs are the last of the 2.x branch."]
)
def test_what_is_counted_is_neither_less_than_none_nor_a_part(said: str) -> None:
    claim = ("Osprey nest", "twigs", "number of twigs")
    assert verdict(claim, f"{BEFORE}<p>{said}</p>", BEFORE)[0] == "holds"


def test_a_cell_under_the_heading_of_the_thing_is_the_things_only_if_a_label_says_a_word_of_it() -> None:
    claim = ("Fern egg length", "upper limit of accepted eggs", "upper limit on egg length")
    page = "<h1>Fern</h1>" + table(
        "Egg security", ("Number", "Description", "CWE"), ("2.1.1", "Eggs are at least 12 mm long", "521")
    )
    assert verdict(claim, page)[0] == "holds"
