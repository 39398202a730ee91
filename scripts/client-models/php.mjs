// Writes the models of the PHP client: a final class with read-only members in a file each. A member that an answer has not is its zero value, or null where it is optional.

const TYPES = { text: 'string', integer: 'int', number: 'float', flag: 'bool' };
const FOLDER = 'clients/php/src/Model';

export function phpModels({ answers }) {
  return Object.fromEntries(answers.map((model) => [`${FOLDER}/${model.name}.php`, toClass(model)]));
}

function toClass({ name, description, fields, hasMeta }) {
  const ordered = [...fields].sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const members = ordered.map(
    (member) => `${docOf(member)}        public readonly ${typeOf(member)} $${camel(member.name)},\n`,
  );
  const values = ordered.map((member) => `            ${readOf(member)},\n`);
  const meta = hasMeta ? '        public readonly ?AnswerMeta $meta,\n' : '';
  const use = hasMeta ? '\nuse Gatehouse\\AnswerMeta;\n' : '';
  return `<?php

declare(strict_types=1);

namespace Gatehouse\\Model;
${use}
/** ${[`Part of an answer of the API, written by scripts/client-models.mjs from openapi.json: do not edit.`, description].filter(Boolean).join(' ')} */
final class ${name}
{
    /** @param array<mixed> $raw the whole answer, with members that this client does not know */
    public function __construct(
${members.join('')}${meta}        public readonly array $raw,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data${hasMeta ? ', ?AnswerMeta $meta = null' : ''}): self
    {
        return new self(
${values.join('')}${hasMeta ? '            $meta,\n' : ''}            $data,
        );
    }
}
`;
}

function docOf({ description, type }) {
  const values = type.values === undefined ? '' : `One of ${type.values.join(', ')}.`;
  const list = type.kind === 'list' ? `@var list<${type.of.name ?? TYPES[type.of.kind]}>` : '';
  const text = [description, values, list].filter((part) => part !== '').join(' ');
  return text === '' ? '' : `        /** ${text} */\n`;
}

function typeOf({ type, isRequired }) {
  const name = type.kind === 'object' ? type.name : type.kind === 'list' ? 'array' : TYPES[type.kind];
  return isRequired ? name : `?${name}`;
}

function readOf({ name, type, isRequired }) {
  const method = isRequired ? type.kind : `${type.kind}OrNull`;
  if (type.kind === 'object')
    return isRequired
      ? `${type.name}::fromArray(Read::members($data, '${name}'))`
      : `isset($data['${name}']) ? ${type.name}::fromArray(Read::members($data, '${name}')) : null`;
  if (type.kind === 'list' && type.of.kind !== 'object')
    return `array_values(array_filter(Read::members($data, '${name}'), is_${TYPES[type.of.kind]}(...)))`;
  if (type.kind === 'list') return `array_map(${type.of.name}::fromArray(...), Read::list($data, '${name}'))`;
  return `Read::${method}($data, '${name}')`;
}

function camel(name) {
  return name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}
