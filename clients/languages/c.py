"""Writes clients/c/include/passd-protocol.h: names for the daemon's methods, callbacks, events and errors."""

import textwrap
from typing import Any

from . import document
from .document import Document, Member, Schema, short, snake

HEAD = """\
/* Made by clients/generate from the daemon's OpenRPC document. */
#ifndef PASSD_PROTOCOL_H
#define PASSD_PROTOCOL_H

"""


def files(json_document: dict[str, Any]) -> dict[str, str]:
    found = document.read(json_document)
    parts = [HEAD, f'#define PASSD_VERSION "{found.version}"\n']
    parts.append("\n/* Methods, for passd_call and passd_ask, with their params; those with a question mark may be left out. */\n\n")
    for method in found.methods:
        parts.append(comment(found, method.summary, method.params))
        parts.append(f'#define PASSD_{macro(short(method.name))} "{method.name}"\n')
    parts.append("\n/* Callbacks, for passd_on_callback. `disconnected` and `reconnected` come from the library. */\n\n")
    for name, shape in zip(found.callback_names, found.callbacks, strict=True):
        parts.append(comment(found, shape.summary, shape.members))
        parts.append(f'#define PASSD_ON_{macro(name)} "{name}"\n')
    parts.append('#define PASSD_ON_DISCONNECTED "disconnected"\n#define PASSD_ON_RECONNECTED "reconnected"\n')
    parts.append("\n/* The types of events, after passd.subscribe. */\n\n")
    parts += [f'#define PASSD_EVENT_{macro(name)} "{name}"\n' for name in found.events]
    parts.append("\n/* What `code` of an error can be. */\n\n")
    parts += [f'#define PASSD_ERROR_{macro(name)} "{name}"\n' for name in found.errors]
    parts.append("\n#endif\n")
    return {"c/include/passd-protocol.h": "".join(parts)}


def macro(name: str) -> str:
    return "".join(each if each.isalnum() else "_" for each in snake(name)).upper()


def comment(found: Document, summary: str, members: list[Member]) -> str:
    params = ", ".join(f"{each.name}{'' if each.required else '?'}: {kind(found, each.schema)}" for each in members)
    words = f"{summary} {{{params}}}" if params else summary
    if not words:
        return ""
    lines = textwrap.wrap(words.replace("*/", "* /"), 112)
    return "/* " + "\n * ".join(lines) + " */\n"


def kind(found: Document, schema: Schema) -> str:
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(kind(found, each) for each in schema[key]))
    if "$ref" in schema:
        alias = found.aliases.get(schema["$ref"].rpartition("/")[2])
        return "object" if alias is None else kind(found, alias)
    words = schema.get("type", "any")
    return words if isinstance(words, str) else " or ".join(words)
