// Writes the models of the Python client: frozen data classes. A member that an answer has not is its zero value, or None where it is optional.

const READ = { text: '_text', integer: '_integer', number: '_number', flag: '_flag' };
const TYPES = { text: 'str', integer: 'int', number: 'float', flag: 'bool' };

export function pythonModels({ answers }) {
  const classes = answers.map(toClass).join('\n\n');
  return {
    'clients/python/src/gatehouse/models.py': `"""Answers of the API. Written by scripts/client-models.mjs from openapi.json: do not edit."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, List, Mapping, Optional

from ._meta import AnswerMeta


${classes}

def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    return value if isinstance(value, str) else ""


def _integer(data: Mapping[str, Any], name: str) -> int:
    value = data.get(name)
    return int(value) if isinstance(value, (int, float)) else 0


def _number(data: Mapping[str, Any], name: str) -> float:
    value = data.get(name)
    return float(value) if isinstance(value, (int, float)) else 0.0


def _flag(data: Mapping[str, Any], name: str) -> bool:
    return data.get(name) is True


def _object(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name)
    return value if isinstance(value, Mapping) else {}


def _values(data: Mapping[str, Any], name: str, kind: type) -> List[Any]:
    value = data.get(name)
    return [each for each in value if isinstance(each, kind)] if isinstance(value, list) else []


def _list(data: Mapping[str, Any], name: str) -> List[Mapping[str, Any]]:
    value = data.get(name)
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []
`,
  };
}

function toClass({ name, description, fields, hasMeta }) {
  const ordered = [...fields].sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const lines = ordered.flatMap((member) => [
    `    ${member.name}: ${member.isRequired ? typeOf(member.type) : `Optional[${typeOf(member.type)}]`}`,
    ...docOf(member),
  ]);
  const meta = hasMeta ? ', meta: Optional[AnswerMeta] = None' : '';
  return `@dataclass(frozen=True)
class ${name}:
${description === '' ? '' : `    """${description}"""\n\n`}${lines.join('\n')}
${hasMeta ? '    meta: Optional[AnswerMeta] = field(default=None, repr=False, compare=False)\n' : ''}    #: The whole answer, with members that this client does not know.
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]${meta}) -> ${name}:
        return cls(
${ordered.map((member) => `            ${member.name}=${readOf(member)},`).join('\n')}
${hasMeta ? '            meta=meta,\n' : ''}            raw=data,
        )
`;
}

function docOf({ description, type }) {
  const values = type.values === undefined ? '' : `One of ${type.values.join(', ')}.`;
  const text = [description, values].filter((part) => part !== '').join(' ');
  return text === '' ? [] : [`    """${text.replaceAll('\\', '\\\\')}"""`];
}

function typeOf(type) {
  if (type.kind === 'object') return type.name;
  return type.kind === 'list' ? `List[${typeOf(type.of)}]` : TYPES[type.kind];
}

function readOf({ name, type, isRequired }) {
  const value = readValue(name, type);
  return isRequired ? value : `${value} if data.get("${name}") is not None else None`;
}

function readValue(name, type) {
  if (type.kind === 'object') return `${type.name}.from_dict(_object(data, "${name}"))`;
  if (type.kind === 'list' && type.of.kind !== 'object')
    return `_values(data, "${name}", ${TYPES[type.of.kind]})`;
  if (type.kind === 'list') return `[${type.of.name}.from_dict(each) for each in _list(data, "${name}")]`;
  return `${READ[type.kind]}(data, "${name}")`;
}
