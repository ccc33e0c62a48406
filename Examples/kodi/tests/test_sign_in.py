"""Tests the dialogs of passd_kodi without Kodi. `walk` tests them in Kodi."""

from __future__ import annotations

import pathlib
import re
import sys
import types
import unittest
from unittest import mock

for name in "xbmc", "xbmcaddon", "xbmcgui", "xbmcvfs":
    sys.modules[name] = mock.MagicMock(name=name)
sys.modules["xbmcgui"].WindowXMLDialog = type("WindowXMLDialog", (), {})
sys.modules["xbmc"].getCondVisibility.return_value = False

import passd_kodi  # first
import passd
from passd_kodi import dialogs

xbmcgui = sys.modules["xbmcgui"]


def providers(*names: str) -> list[dict[str, str]]:
    return [{"id": name, "displayName": name, "logoURL": ""} for name in names]


class Lists(unittest.TestCase):
    """The lists that the viewer sees. Each answer is the index of a line, or a text for the search."""

    def choose(self, given: list[dict[str, str]], *answers: int | str) -> tuple[object, list[list[str]]]:
        answers, seen = list(answers), []
        dialog = mock.Mock()
        dialog.select.side_effect = lambda _, items, useDetails: seen.append(items) or answers.pop(0)
        dialog.input.side_effect = lambda *_: answers.pop(0)
        with (mock.patch.object(xbmcgui, "Dialog", lambda: dialog),
              mock.patch.object(xbmcgui, "ListItem", lambda label: Line(label)),
              mock.patch.object(dialogs.Text, "__call__", lambda text, *values: f"{text.name}{values}")):
            return dialogs.choose(given), [[str(line) for line in each] for each in seen]

    def test_a_short_list_has_no_search(self) -> None:
        chosen, seen = self.choose(providers("North", "Beacon"), 1)
        self.assertEqual((chosen["id"], seen), ("Beacon", [["North", "Beacon"]]))
        self.assertIsNone(self.choose(providers("North"), -1)[0])

    def test_a_long_list_has_a_search_without_accents(self) -> None:
        many = providers(*(f"Cable {index}" for index in range(20)), "Élan TV", "North Star")
        chosen, seen = self.choose(many, 0, "elan", 1)
        self.assertEqual((chosen["id"], seen[1]), ("Élan TV", ["SEARCH('elan',)", "Élan TV"]))
        chosen, seen = self.choose(many, 0, "star", -1, 2)  # Back clears the search
        self.assertEqual((chosen["id"], len(seen[1]), len(seen[2])), ("Cable 1", 2, 23))

    def test_the_code_is_in_groups(self) -> None:
        self.assertEqual([dialogs.grouped(code) for code in ("", "2QF", "2QF8FH2", "2QF8FH2K9")],
                         ["", "2QF", "2QF 8FH2", "2QF 8FH2 K9"])


class Line(str):
    def setArt(self, _: object) -> None:
        pass


class Attempts(unittest.TestCase):
    """The outcome of each attempt, the viewer's answers, and the provider that each attempt begins with."""

    def sign_in(self, results: list[object], *answers: int) -> tuple[bool, list[str | None]]:
        wanted: list[str | None] = []

        def attempt(_: object, channel: str | None, provider: str | None) -> types.SimpleNamespace:
            wanted.append(provider)
            result = results.pop(0)
            return types.SimpleNamespace(run=lambda: result, provider={"id": "North"}, wants_another=result == "another")

        dialog = mock.Mock()
        dialog.yesnocustom.side_effect = answers
        with mock.patch.object(dialogs, "Attempt", attempt), mock.patch.object(xbmcgui, "Dialog", lambda: dialog):
            return passd_kodi.sign_in(mock.Mock()), wanted

    def test_attempts(self) -> None:
        done, expired, denied = passd.Outcome("authenticated"), passd.Outcome("expired"), passd.Outcome("denied")
        away = passd.PassdError("CFG503", "", "")
        for results, answers, is_signed_in, wanted in [
            ([done], [], True, [None]),
            ([passd.Outcome("cancelled")], [], False, [None]),
            ([expired, done], [1], True, [None, "North"]),
            ([denied, done], [2], True, [None, None]),
            ([away, done], [1], True, [None, "North"]),
            ([denied], [0], False, [None]),
            ([denied], [-1], False, [None]),
            (["another", done], [], True, [None, None]),
        ]:
            with self.subTest(results=list(results), answers=answers):
                self.assertEqual(self.sign_in(results, *answers), (is_signed_in, wanted))

    def test_an_error_that_no_attempt_can_mend_is_raised(self) -> None:
        for code in "DENIED", "INVALID_PARAMS":
            with self.assertRaises(passd.PassdError):
                self.sign_in([passd.PassdError(code, "", "")])


class Languages(unittest.TestCase):
    """The texts of both add-ons."""

    def test_each_language_has_each_text_with_the_same_places_for_names(self) -> None:
        add_ons = pathlib.Path(__file__).parent.parent
        for folder in add_ons.glob("*/resources/language/resource.language.*"):
            with self.subTest(folder=folder):
                texts = read_texts(folder)
                self.assertEqual(texts.keys(), read_texts(folder.parent / "resource.language.en_gb").keys())
                for number, (english, text) in texts.items():
                    is_english = folder.name.endswith("en_gb")
                    self.assertEqual(text == "", is_english, number)
                    self.assertEqual((text or english).count("{}"), english.count("{}"), number)

    def test_the_app_has_six_languages(self) -> None:
        folders = pathlib.Path(__file__).parent.parent.glob("plugin.video.lumen-tv/resources/language/*")
        self.assertEqual({folder.name[-5:] for folder in folders}, {"en_gb", "es_es", "fr_fr", "de_de", "pt_pt", "it_it"})


def read_texts(folder: pathlib.Path) -> dict[str, tuple[str, str]]:
    entries = re.findall(r'^msgctxt "(#\d+)"\nmsgid "(.*)"\nmsgstr "(.*)"$', (folder / "strings.po").read_text(), re.MULTILINE)
    return {number: (english, text) for number, english, text in entries}


unittest.main()
