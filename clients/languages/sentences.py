"""Makes the contents of the files that come from clients/sentences.json: the daemon's table, the texts of <passd-sign-in>, and Kodi's files."""

import json
import re
from typing import Any

MADE = "Made by clients/generate from clients/sentences.json."

PO = '''# The screens for signing in. %(made)s
# %(note)s
msgid ""
msgstr ""
"Language: %(tag)s\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
'''


def files(document: dict[str, Any]) -> dict[str, str]:
    made = {"../Sources/CLibraries/CTexts/sentences.h": table(document), "javascript/src/texts.js": module(document)}
    for language in document["languages"]:
        region = "gb" if language == "en" else language
        name = f"resource.language.{language}_{region}/strings.po"
        made[f"../Examples/kodi/script.module.passd/resources/language/{name}"] = strings(document, language, region)
    return made


def table(document: dict[str, Any]) -> str:
    rows = {"": {each: each for each in document["languages"]}, **document["sentences"]}
    return f"// {MADE}\n\n" + "".join(
        "{" + json.dumps(name) + ", {" + ", ".join(json.dumps(texts[each], ensure_ascii=False) for each in document["languages"])
        + "}},\n"
        for name, texts in rows.items()
    )


def module(document: dict[str, Any]) -> str:
    texts = {
        language: {name: each[language] for name, each in document["screens"].items()} for language in document["languages"]
    }
    return (f"// {MADE} {document['note']}\n\nexport const languages = {json.dumps(texts, indent=2, ensure_ascii=False)};\n")


def strings(document: dict[str, Any], language: str, region: str) -> str:
    parts = [PO % {"made": MADE, "note": document["note"], "tag": f"{language}_{region.upper()}"}]
    texts = document["screens"] | document["kodiScreens"]
    for name, number in document["kodi"].items():
        english, text = (
            json.dumps(re.sub(r"\{\w+\}", "{}", texts[name][each]), ensure_ascii=False) for each in ("en", language)
        )
        parts.append(f'\nmsgctxt "#{number}"\nmsgid {english}\nmsgstr {text if language != "en" else chr(34) * 2}\n')
    return "".join(parts)
