"""Writes clients/python/passd/protocol.py: a TypedDict for each object, and a method for each call, twice."""

import json
import keyword
import textwrap
from typing import Any

from . import document
from .document import Document, Member, Method, Schema, Shape, short, snake

PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}

HELPER = """

def _given(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if value is not None}
"""

HEAD = '''"""The daemon's methods, with their params and results. Made by clients/generate from the daemon's OpenRPC document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NotRequired, TypedDict, cast, overload
'''

CALLS = '''
class {name}:
    """The daemon's methods. `within` is the time limit for this answer in seconds."""

    {declare} call(self, method: str, params: Mapping[str, Any] | None = None, *, within: float | None = None) -> Any:
        """Calls any method by its name."""
        raise NotImplementedError
'''


def files(json_document: dict[str, Any]) -> dict[str, str]:
    found = document.read(json_document)
    parts = [HEAD]
    parts.append(f"\nErrorName = {literal(found.errors)}\n")
    parts += [shape_text(shape) for shape in found.shapes]
    # An alias is evaluated when the module is loaded, so it must come after the types that it uses.
    parts.append("\n")
    parts += [f"\n{name} = {type_of(schema)}\n" for name, schema in found.aliases.items()]
    parts.append("\nCALLBACKS = (\n" + "".join(f'    "{name}",\n' for name in found.callback_names) + ")\n")
    parts += [HELPER, handlers(found)]
    for name, prefix, wait in (("Calls", "async def", "await "), ("BlockingCalls", "def", "")):
        parts.append("\n" + CALLS.format(name=name, declare=prefix))
        parts += [method_text(method, prefix, wait) for method in found.methods]
    return {"python/passd/protocol.py": "".join(parts)}


def literal(words: list[Any]) -> str:
    # Literals of Python, with double quotes like the rest of the file.
    written = [json.dumps(word) if isinstance(word, str) else repr(word) for word in words]
    line = f"Literal[{', '.join(written)}]"
    if len(line) < 100:
        return line
    return "Literal[\n" + "".join(f"    {word},\n" for word in written) + "]"


def type_of(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return " | ".join(dict.fromkeys(type_of(each) for each in schema[key]))
    if "const" in schema:
        return literal([schema["const"]])
    if "enum" in schema:
        return literal(schema["enum"])
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(dict.fromkeys(type_of({**schema, "type": each}) for each in kind))
    if kind == "array":
        return f"list[{type_of(schema.get('items', {}))}]"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"dict[str, {type_of(values) if isinstance(values, dict) else 'Any'}]"
    return PLAIN.get(str(kind), "Any")


def comment(text: str, indentation: str) -> str:
    lines = textwrap.wrap(text, 115 - len(indentation))
    return "".join(f"{indentation}# {line}\n" for line in lines)


def docstring(text: str, indentation: str) -> str:
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    lines = textwrap.wrap(text, 112 - len(indentation)) or ["No description."]
    if len(lines) == 1:
        return f'{indentation}"""{lines[0]}"""\n'
    return f'{indentation}"""' + f"\n{indentation}".join(lines) + f'\n{indentation}"""\n'


def shape_text(shape: Shape) -> str:
    if not all(member.name.isidentifier() and not keyword.iskeyword(member.name) for member in shape.members):
        entries = "".join(f"    {json.dumps(each.name)}: {wrapped(each)},\n" for each in shape.members)
        return f'\n{shape.name} = TypedDict("{shape.name}", {{\n{entries}}})\n'
    lines = [f"\n\nclass {shape.name}(TypedDict):\n"]
    if shape.summary or not shape.members:
        lines.append(docstring(shape.summary, "    ") + ("\n" if shape.members else ""))
    for member in shape.members:
        lines.append(comment(member.summary, "    "))
        lines.append(f"    {member.name}: {wrapped(member)}\n")
    return "".join(lines)


def wrapped(member: Member) -> str:
    kind = type_of(member.schema)
    return kind if member.required else f"NotRequired[{kind}]"


def handlers(found: Document) -> str:
    text = '''

class Handlers:
    """Calls functions of the app when the daemon sends something."""
'''
    for name, shape in zip(found.callback_names, found.callbacks, strict=True):
        text += f'''
    @overload
    def on(self, name: Literal["{name}"], handler: Callable[[{shape.name}], object]) -> Callable[[], None]: ...
'''
    return text + '''
    @overload
    def on(self, name: Literal["disconnected", "reconnected"], handler: Callable[[Any], object]) -> Callable[[], None]: ...

    def on(self, name: str, handler: Callable[[Any], object]) -> Callable[[], None]:
        """Calls `handler` with the params of each callback of this name. Returns a function that removes the handler.

        Raises ValueError for a name that this library does not know, because the handler would never be called.
        """
        return self._add_handler(name, handler)

    def _add_handler(self, name: str, handler: Callable[[Any], object]) -> Callable[[], None]:
        raise NotImplementedError
'''


def identifier(name: str) -> str:
    name = snake(name)
    return name + "_" if keyword.iskeyword(name) else name


def method_text(method: Method, prefix: str, wait: str) -> str:
    required = [member for member in method.params if member.required]
    optional = [member for member in method.params if not member.required]
    arguments = [f"{identifier(each.name)}: {type_of(each.schema)}" for each in required]
    arguments.append("*")
    for each in optional:
        kind = type_of(each.schema)
        arguments.append(f"{identifier(each.name)}: {kind if kind.endswith('None') else kind + ' | None'} = None")
    arguments.append("within: float | None = None")
    # An omitted param is not sent. Null is only sent for required params.
    sent = [f'"{each.name}": {identifier(each.name)}' for each in required]
    given = [f'"{each.name}": {identifier(each.name)}' for each in optional]
    params = "{" + ", ".join(sent) + "}"
    if given:
        params = f"{params} | _given({{{', '.join(given)}}})" if sent else f"_given({{{', '.join(given)}}})"
    result = type_of(method.result)
    name = identifier(short(method.name))
    signature = f"    {prefix} {name}(self, {', '.join(arguments)}) -> {result}:\n"
    if len(signature) > 121:
        inner = "".join(f"        {argument},\n" for argument in arguments)
        signature = f"    {prefix} {name}(\n        self,\n{inner}    ) -> {result}:\n"
    notes = "".join(f"\n        {identifier(each.name)}: {each.summary}" for each in method.params if each.summary)
    text = docstring(method.summary, "        ")
    if notes:
        text = text.rstrip("\n").removesuffix('"""').rstrip() + "\n" + wrap_notes(notes) + '        """\n'
    # `cast` names the type in quotes, because it is only checked and never run.
    body = f'        return cast("{result}", {wait}self.call("{method.name}", {params}, within=within))\n'
    return "\n" + signature + text + body


def wrap_notes(notes: str) -> str:
    lines = [""]
    for note in notes.strip("\n").split("\n"):
        lines += textwrap.wrap(note.strip(), 108, initial_indent=" " * 8, subsequent_indent=" " * 12)
    return "\n".join(lines) + "\n"
