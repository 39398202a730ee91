/** Shows a message of the contract as a table: a row a field, nested ones under their full path. */
import { MANAGE_PROBLEM_CODES } from '../../dist/contract/manage-problems.js';
import { VERDICTS } from '../../dist/contract/messages.js';
import { PROBLEMS } from '../../dist/contract/problem.js';
import { REASONS } from '../../dist/contract/reasons.js';
import { resolve } from './document.mjs';
import { code, html, prose, unbroken } from './html.mjs';

/** @param mark which kind of field is worth a word: in a request the required ones, in an answer the optional ones. */
export function fieldsTable(caption, root, document, mark) {
  const rows = listFields(root, document, '').map(({ prefix, name, schema, required }) => {
    const marked = required === (mark === 'required');
    return html`<tr>
<th scope="row"><code class="name">${prefix === '' ? '' : html`<span class="prefix">${prefix}</span><wbr>`}${unbroken(name)}</code>
<span class="type">${typeName(schema, document)}</span>${marked ? html` <span class="mark">${mark}</span>` : ''}</th>
<td>${prose(schema.description ?? '')}${choices(schema)}</td></tr>`;
  });
  return html`<table class="fields"><caption>${caption}</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

function listFields(root, document, prefix) {
  return Object.entries(resolve(root, document).properties ?? {}).flatMap(([name, pointer]) => {
    const schema = resolve(pointer, document);
    const field = {
      prefix,
      name,
      schema,
      required: resolve(root, document).required?.includes(name) ?? false,
    };
    const below =
      schema.items === undefined
        ? listFields(schema, document, `${prefix}${name}.`)
        : listFields(schema.items, document, `${prefix}${name}[].`);
    // An object that only contains others, without a description, needs no row.
    return below.length > 0 && schema.description === undefined ? below : [field, ...below];
  });
}

function typeName(schema, document) {
  if (schema.anyOf !== undefined)
    return schema.anyOf.map((option) => typeName(option, document)).join(' or ');
  if (schema.items !== undefined) return `array of ${typeName(resolve(schema.items, document), document)}s`;
  const kind = schema.format === 'date-time' ? 'timestamp' : (schema.type ?? 'any');
  const { minimum, maximum, pattern } = schema;
  if (pattern !== undefined) return `${kind} ${pattern}`;
  if (minimum === undefined) return kind;
  return maximum === undefined ? `${kind} ≥ ${minimum}`.replace('-', '−') : `${kind} ${minimum}–${maximum}`;
}

/** Long lists are shown once, in a section of their own. */
const LISTS = [
  { id: 'reasons', words: 'reason codes', codes: REASONS },
  { id: 'errors', words: 'error codes', codes: PROBLEMS },
  {
    id: 'management',
    words: 'error codes',
    codes: Object.fromEntries(MANAGE_PROBLEM_CODES.map((code) => [code, code])),
  },
];

function choices({ enum: values }) {
  if (values === undefined) return undefined;
  const list = LISTS.find(({ codes }) => values.every((value) => Object.hasOwn(codes, value)));
  if (list !== undefined) return html` <a href="#${list.id}">One of ${values.length} ${list.words}.</a>`;
  return html`<ul class="choices" aria-label="Allowed values">${values.map((value) => html`<li>${choice(value)}</li>`)}</ul>`;
}

/** A value as the reference shows it: verdicts in their colour and shape, codes as links to their meaning. */
export function choice(value) {
  if (VERDICTS.some((verdict) => verdict === value))
    return html`<code class="verdict ${value}">${value}</code>`;
  if (Object.hasOwn(REASONS, value)) return html`<a href="#reason-${value}"><code>${value}</code></a>`;
  if (Object.hasOwn(PROBLEMS, value)) return html`<a href="#error-${value}"><code>${value}</code></a>`;
  return code(value);
}
