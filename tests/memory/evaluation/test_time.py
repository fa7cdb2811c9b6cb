"""Scoring the resolver on labelled rows."""

from __future__ import annotations

from memory.evaluation.time import evaluate_time


def _row(text, accept, **more):
    return {"id": text, "text": text, "ref": "2026-10-15T10:00", "accept": accept, **more}


DAY = {"s": "2026-10-20T00:00", "e": "2026-10-21T00:00", "g": "day"}


def test_a_right_day_counts_as_exact_and_as_day():
    report = evaluate_time([_row("下週二要考試", [DAY], span="下週二")])
    assert (report.rows, report.exact, report.day, report.unresolved_kept) == (1, 1.0, 1.0, None)


def test_the_right_day_at_a_wrong_time_counts_as_day_only():
    reading = {"s": "2026-10-20T14:00", "e": None, "g": "minute"}
    report = evaluate_time([_row("下週二下午三點要考試", [reading])])
    assert (report.exact, report.day) == (0.0, 1.0)


def test_a_part_of_the_day_is_right_within_three_hours():
    near = {"s": "2026-10-20T17:00", "e": "2026-10-20T23:00", "g": "daypart"}
    far = {"s": "2026-10-20T14:00", "e": "2026-10-20T18:00", "g": "daypart"}
    assert evaluate_time([_row("下週二晚上要聚餐", [near])]).exact == 1.0
    assert evaluate_time([_row("下週二晚上要聚餐", [far])]).exact == 0.0


def test_any_accepted_reading_will_do():
    wrong = {"s": "2026-10-27T00:00", "e": "2026-10-28T00:00", "g": "day"}
    assert evaluate_time([_row("下週二要考試", [wrong, DAY])]).exact == 1.0


def test_a_stretch_that_holds_the_gold_is_right_where_holding_is_asked():
    reading = {"s": "2026-10-10T00:00", "e": "2026-10-11T00:00", "g": "contains"}
    assert evaluate_time([_row("國慶連假回家了", [reading])]).exact == 1.0
    assert evaluate_time([_row("下週要回家", [reading])]).exact == 0.0


def test_rows_without_a_date_must_stay_unresolved():
    report = evaluate_time([_row("改天要聚餐", [], span="改天"), _row("明天要聚餐", [], span="明天")])
    assert report.unresolved_kept == 0.5
    assert report.wrong_on_unresolved == 1
    assert report.exact is None


def test_rows_without_gold_still_give_predictions():
    row = {"id": "x", "text": "明天下午三點要開會", "ref": "2026-10-15T10:00"}
    report = evaluate_time([row])
    assert (report.rows, report.exact, report.overall) == (1, None, None)
    (prediction,) = report.predictions
    assert (prediction.id, prediction.start, prediction.end) == ("x", "2026-10-16T15:00", "2026-10-16T15:01")
    assert prediction.precision == "minute"
    assert prediction.correct is None


def test_an_unresolved_row_is_predicted_with_nulls():
    (prediction,) = evaluate_time([_row("改天要聚餐", [])]).predictions
    assert (prediction.start, prediction.end, prediction.precision) == (None, None, None)


def test_the_traditional_columns_can_be_scored_instead():
    row = _row("下周二要考试", [DAY], span="下周二", text_hant="下週二要考試", span_hant="下週二")
    assert evaluate_time([row], text_key="text_hant", span_key="span_hant").exact == 1.0


def test_no_rows_make_an_empty_report():
    report = evaluate_time([])
    assert (report.rows, report.exact, report.predictions) == (0, None, ())
