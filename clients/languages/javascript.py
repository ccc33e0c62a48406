"""Writes clients/javascript/src: protocol.d.ts with a type for each object, and calls.js with a method for each call."""

import json
import textwrap
from typing import Any

from . import document
from .document import Document, Method, Schema, Shape, short

PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

MADE = "// Made by clients/generate from the daemon's OpenRPC document.\n"

CALLS = """
/**
 * The options of a call, which every call takes after its params. `within` is the max time for the call in milliseconds.
 * `signal` cancels the call.
 * @typedef {{within?: number, signal?: AbortSignal}} CallOptions
 */

/** The names of the daemon's callbacks. */
export const CALLBACKS = [
%(callbacks)s];

/**
 * The params of the daemon's methods, for error messages; those with a question mark may be left out.
 * @type {Record<string, string>}
 */
export const PARAMS = {
%(params)s};

/** The daemon's methods. */
export class Calls {
  /**
   * Calls any method by its name.
   * @param {string} method
   * @param {object} [params]
   * @param {CallOptions} [options]
   * @returns {Promise<any>}
   */
  call(method, params, options) {
    throw new Error(`${method} is called without a connection`, { cause: { params, options } });
  }
"""


def files(json_document: dict[str, Any]) -> dict[str, str]:
    found = document.read(json_document)
    return {"javascript/src/protocol.d.ts": types(found), "javascript/src/calls.js": calls(found)}


def types(found: Document) -> str:
    parts = [MADE]
    parts += [
        f"\n{comment(schema.get('description', ''), '')}export type {name} = {type_of(schema)};\n"
        for name, schema in found.aliases.items()
    ]
    parts.append(f"\n/** The names of the daemon's errors. */\nexport type ErrorName = {choice(found.errors)};\n")
    parts += [shape_text(shape) for shape in found.shapes]
    for method in found.methods:
        shape = Shape(method.result_name.removesuffix("Result") + "Params", method.params, "")
        parts.append(shape_text(shape))
    parts.append("\n/** The daemon's callbacks, and the params that each brings. */\nexport interface Callbacks {\n")
    for name, shape in zip(found.callback_names, found.callbacks, strict=True):
        parts.append(f"  {name}: {shape.name};\n")
    parts.append("}\n")
    parts.append("\n/** The data of each type of event. */\nexport interface Events {\n")
    parts += [f"  {json.dumps(name)}: {type_of(schema)};\n" for name, schema in found.events.items()]
    parts.append("}\n")
    return "".join(parts)


def calls(found: Document) -> str:
    names = "".join(f'  "{name}",\n' for name in found.callback_names)
    params = "".join(f'  "{method.name}": {json.dumps(param_names(method))},\n' for method in found.methods)
    parts = [MADE, CALLS % {"callbacks": names, "params": params}]
    for method in found.methods:
        parts.append(method_text(method))
    return "".join(parts) + "}\n"


def param_names(method: Method) -> str:
    names = ", ".join(each.name + ("" if each.required else "?") for each in method.params)
    return f"{{ {names} }}" if names else "{}"


def choice(words: list[Any]) -> str:
    line = " | ".join(json.dumps(word) for word in words)
    return line if len(line) < 90 else "".join(f"\n  | {json.dumps(word)}" for word in words)


def type_of(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return " | ".join(dict.fromkeys(type_of(each) for each in schema[key]))
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return choice(schema["enum"])
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(dict.fromkeys(type_of({**schema, "type": each}) for each in kind))
    if kind == "array":
        return f"Array<{type_of(schema.get('items', {}))}>"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {type_of(values) if isinstance(values, dict) else 'any'}>"
    return PLAIN.get(str(kind), "any")


def comment(text: str, indentation: str, tags: tuple[str, ...] = ()) -> str:
    text = text.replace("*/", "* /")
    lines = textwrap.wrap(text, 112 - len(indentation)) + list(tags)
    if not lines:
        return ""
    if len(lines) == 1 and not tags:
        return f"{indentation}/** {lines[0]} */\n"
    return f"{indentation}/**\n" + "".join(f"{indentation} * {line}\n" for line in lines) + f"{indentation} */\n"


def shape_text(shape: Shape) -> str:
    text = f"\n{comment(shape.summary, '')}export interface {shape.name} {{\n"
    for member in shape.members:
        name = member.name if member.name.isidentifier() else json.dumps(member.name)
        text += comment(member.summary, "  ")
        text += f"  {name}{'' if member.required else '?'}: {type_of(member.schema)};\n"
    return text + "}\n"


def method_text(method: Method) -> str:
    base = method.result_name.removesuffix("Result")
    needed = any(member.required for member in method.params)
    result = f'import("./protocol.js").{base}Result' if "$ref" in method.result else type_of(method.result)
    params = f'import("./protocol.js").{base}Params'
    tags = (
        f"@param {{{params}}} {'params' if needed else '[params]'}",
        "@param {CallOptions} [options]",
        f"@returns {{Promise<{result}>}}",
    )
    return (
        f"\n{comment(method.summary, '  ', tags)}  {short(method.name)}(params, options) {{\n"
        f'    return this.call("{method.name}", params, options);\n  }}\n'
    )
