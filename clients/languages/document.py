"""Reads the OpenRPC document for all generators: methods, callbacks, events, and names for objects without one."""

import re
from dataclasses import dataclass, field
from typing import Any

Schema = dict[str, Any]


# Names that the clients themselves use.
RESERVED = ["call", "callbacks", "close", "ending", "on", "open", "path", "signIn", "sign_in", "signedIn", "signed_in"]


@dataclass
class Member:
    name: str
    schema: Schema
    required: bool
    summary: str


@dataclass
class Shape:
    """An object with members, which becomes a separate type."""

    name: str
    members: list[Member]
    summary: str


@dataclass
class Method:
    name: str
    summary: str
    params: list[Member]
    result: Schema
    result_name: str


@dataclass
class Document:
    version: str
    shapes: list[Shape] = field(default_factory=list)
    aliases: dict[str, Schema] = field(default_factory=dict)
    methods: list[Method] = field(default_factory=list)
    callbacks: list[Shape] = field(default_factory=list)
    callback_names: list[str] = field(default_factory=list)
    events: dict[str, Schema] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)


def short(name: str) -> str:
    """The name without the part before its dot, which is unique among the daemon's methods."""
    return name.rpartition(".")[2]


def capital(name: str) -> str:
    """`login.opened` becomes `LoginOpened`."""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", name))


def snake(name: str) -> str:
    """`handleExternalURL` becomes `handle_external_url`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def read(json: dict[str, Any]) -> Document:
    document = Document(version=json["info"]["version"])
    for name, schema in json["components"]["schemas"].items():
        if "properties" in schema:
            name_objects(document, schema, name)
        else:
            document.aliases[name] = schema
    for method in json["methods"]:
        base = capital(short(method["name"]))
        params = [param(document, each, base) for each in method.get("params", [])]
        params.sort(key=lambda each: not each.required)
        result = name_objects(document, method["result"]["schema"], base + "Result")
        document.methods.append(Method(method["name"], method.get("summary", ""), params, result, base + "Result"))
    for callback in json["x-passd-callbacks"]:
        base = capital(callback["name"])
        params = [param(document, each, base) for each in callback.get("params", [])]
        shape = Shape(base + "Params", params, callback.get("summary", ""))
        document.callback_names.append(callback["name"])
        document.callbacks.append(shape)
        document.shapes.append(shape)
    for event in json["x-passd-events"]:
        schema = event.get("data", {"type": "object"})
        document.events[event["type"]] = name_objects(document, schema, capital(event["type"]) + "Event")
    document.errors = sorted(error_names(json))
    names = [short(method.name) for method in document.methods]
    types = [shape.name for shape in document.shapes] + list(document.aliases)
    for each in (names + RESERVED, types):
        twice = {name for name in each if each.count(name) > 1}
        if twice:
            raise ValueError(f"these names would be given twice: {sorted(twice)}")
    return document


def error_names(json: dict[str, Any]) -> set[str]:
    """The names of the errors. If a service did not answer, its error has one of several more specific names."""
    statuses = json.get("x-passd-statuses", [])
    names = {each if isinstance(each, str) else each["code"] for each in statuses}
    return names | {name for name in json["components"]["errors"] if not names or name != "UNANSWERED"}


def param(document: Document, json: dict[str, Any], base: str) -> Member:
    schema = name_objects(document, json["schema"], base + capital(json["name"]))
    summary = json.get("summary") or json.get("description") or json["schema"].get("description", "")
    return Member(json["name"], schema, json.get("required", False), summary)


def describe(schema: Schema | bool) -> str:
    return "" if isinstance(schema, bool) else schema.get("description", "")


def name_objects(document: Document, schema: Schema | bool, name: str) -> Schema:
    """The schema with a reference in place of each object that has members; these become shapes."""
    if isinstance(schema, bool):  # in JSON Schema, true accepts any value and false none
        return {}
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return {**schema, key: [name_objects(document, each, name) for each in schema[key]]}
    if "items" in schema:
        return {**schema, "items": name_objects(document, schema["items"], name + "Item")}
    if isinstance(schema.get("additionalProperties"), dict):
        return {**schema, "additionalProperties": name_objects(document, schema["additionalProperties"], name + "Value")}
    if not schema.get("properties"):
        return schema
    required = schema.get("required", [])
    members = [
        Member(key, name_objects(document, each, name + capital(key)), key in required, describe(each))
        for key, each in schema["properties"].items()
    ]
    document.shapes.append(Shape(name, members, schema.get("description", "")))
    return {"$ref": "#/components/schemas/" + name}
