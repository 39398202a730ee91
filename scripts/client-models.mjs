// Writes the models of the clients in other languages from openapi.json, what the public operations take and answer, and the script of a proof of work. Without `--write` it says which file differs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { goModels } from './client-models/go.mjs';
import { phpModels } from './client-models/php.mjs';
import { proofScripts } from './client-models/proof.mjs';
import { pythonModels } from './client-models/python.mjs';
import { rubyModels } from './client-models/ruby.mjs';

const ROOT = new URL('..', import.meta.url);
/** The management API is no part of the clients. */
const PUBLIC = /^\/v1\/(?!manage\/)/;

const models = readModels(JSON.parse(readFileSync(new URL('openapi.json', ROOT), 'utf8')));
const files = {
  ...pythonModels(models),
  ...goModels(models),
  ...phpModels(models),
  ...rubyModels(models),
  ...proofScripts(readFileSync(new URL('clients/proof.js', ROOT), 'utf8')),
};
for (const [name, text] of Object.entries(files)) {
  const path = fileURLToPath(new URL(name, ROOT));
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  if (process.argv.includes('--write')) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } else {
    process.stderr.write(`${name} differs from openapi.json or clients/proof.js: run \`npm run openapi\`\n`);
    process.exitCode = 1;
  }
}

/** Requests and answers of the public operations, and what they contain, by name: each once. */
function readModels({ paths, components }) {
  const requests = new Set();
  const answers = new Set();
  for (const [path, operations] of Object.entries(paths).filter(([path]) => PUBLIC.test(path)))
    for (const [method, operation] of Object.entries(operations)) {
      if (!['get', 'post'].includes(method)) throw new Error(`${method} ${path} is not known`);
      const bodies = [operation.requestBody, operation.responses['200']];
      const [request, answer] = bodies.map((body) => body?.content?.['application/json']?.schema?.$ref);
      if (request !== undefined) requests.add(nameOf(request));
      if (answer !== undefined) answers.add(nameOf(answer));
    }
  return {
    requests: withParts(components.schemas, requests).map((name) => readModel(components.schemas, name)),
    answers: withParts(components.schemas, answers).map((name) => ({
      ...readModel(components.schemas, name),
      hasMeta: answers.has(name),
    })),
  };
}

/** Every name, each after the parts that it contains. */
function withParts(schemas, names) {
  const ordered = new Set();
  const add = (name) => {
    for (const { type } of readModel(schemas, name).fields) {
      const part = type.kind === 'list' ? type.of : type;
      if (part.kind === 'object') add(part.name);
    }
    ordered.add(name);
  };
  for (const name of [...names].sort()) add(name);
  return [...ordered];
}

function readModel(schemas, name) {
  const { properties, required = [], description = '' } = schemas[name];
  const fields = Object.entries(properties).map(([member, schema]) => ({
    name: member,
    description: (schema.description ?? '').replaceAll('’', "'"),
    isRequired: required.includes(member),
    type: readType(schema),
  }));
  return { name, description, fields };
}

function readType(schema) {
  if (schema.$ref !== undefined) return { kind: 'object', name: nameOf(schema.$ref) };
  if (schema.anyOf !== undefined) return readType(schema.anyOf.find(({ type }) => type !== 'null'));
  if (schema.type === 'array') return { kind: 'list', of: readType(schema.items) };
  if (schema.type === 'object') return { kind: 'members' };
  const kind = { string: 'text', integer: 'integer', number: 'number', boolean: 'flag' }[schema.type];
  if (kind === undefined) throw new Error(`a schema is not known: ${JSON.stringify(schema)}`);
  return { kind, values: schema.enum };
}

function nameOf(reference) {
  return reference.split('/').at(-1);
}
