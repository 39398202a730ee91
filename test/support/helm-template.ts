/** Renders our Helm chart as Helm does. It knows the part of Go's templates that the chart uses; anything else is an error. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

type Value = unknown;
type Scope = { readonly dot: Value; readonly variables: ReadonlyMap<string, Value> };
type Render = (scope: Scope) => string;
type Evaluate = (scope: Scope) => Value;
type Call = (args: readonly Value[], scope: Scope) => Value;

export interface Release {
  readonly name: string;
  readonly namespace: string;
}

const ACTION = /\{\{(-?)\s*(.*?)\s*(-?)\}\}/gs;
const WORD = /"(?:[^"\\]|\\.)*"|\$\w*(?:\.\w+)*|\.(?:\w+(?:\.\w+)*)?|[()|,]|:=|-?\d+|\w+/g;

/** The documents of the chart by file, without empty ones. @throws with the message of `fail` */
export function renderChart(folder: string, values: object, release: Release): Map<string, Value> {
  const texts = readdirSync(join(folder, 'templates')).toSorted();
  const templates = new Map<string, Render>();
  const files = texts.map((file) => ({
    file,
    render: createParser(templates, folder)(readFileSync(join(folder, 'templates', file), 'utf8')),
  }));
  const chart = parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8')) as Record<string, Value>;
  const defaults = parse(readFileSync(join(folder, 'values.yaml'), 'utf8')) as object;
  const dot = {
    Values: merge(defaults, values),
    Chart: { AppVersion: chart.appVersion },
    Release: { Name: release.name, Namespace: release.namespace, Service: 'Helm' },
  };
  const rendered = new Map<string, Value>();
  for (const { file, render } of files) {
    const text = render({ dot, variables: new Map([['$', dot]]) });
    if (file.endsWith('.txt')) rendered.set(file, text);
    else if (text.trim() !== '') rendered.set(file, parse(text));
  }
  return rendered;
}

function merge(base: Value, changes: Value): Value {
  if (!isMap(base) || !isMap(changes)) return changes;
  const names = new Set([...Object.keys(base), ...Object.keys(changes)]);
  return Object.fromEntries(
    [...names].map((name) => [name, name in changes ? merge(base[name], changes[name]) : base[name]]),
  );
}

/** Alternating text and actions; a `-` removes the white space beside it. */
function tokensOf(text: string): (string | { readonly action: string })[] {
  const tokens: (string | { action: string })[] = [];
  let from = 0;
  let trims = false;
  const pushText = (part: string, trimsEnd: boolean) => {
    const begun = trims ? part.trimStart() : part;
    tokens.push(trimsEnd ? begun.trimEnd() : begun);
  };
  for (const match of text.matchAll(ACTION)) {
    pushText(text.slice(from, match.index), match[1] === '-');
    tokens.push({ action: match[2] as string });
    trims = match[3] === '-';
    from = match.index + match[0].length;
  }
  pushText(text.slice(from), false);
  return tokens;
}

function createParser(templates: Map<string, Render>, folder: string) {
  const expression = createExpressions(templates, folder);
  return (text: string): Render => {
    const tokens = tokensOf(text);
    let next = 0;

    /** Until `else` or `end`, which it returns. */
    function block(): { render: Render; end: string } {
      const parts: Render[] = [];
      const done = (end: string) => ({
        render: (scope: Scope) => parts.map((part) => part(scope)).join(''),
        end,
      });
      while (next < tokens.length) {
        const token = tokens[next++] as (typeof tokens)[number];
        if (typeof token === 'string') parts.push(() => token);
        else if (/^(else|end)\b/.test(token.action)) return done(token.action);
        else if (!token.action.startsWith('/*')) parts.push(action(token.action));
      }
      return done('');
    }

    function action(source: string): Render {
      const [, keyword = '', rest = ''] = /^(if|with|range|define)\s+(.*)$/s.exec(source) ?? [];
      if (keyword === '') return (scope) => textOf(expression(source)(scope));
      const body = block();
      const otherwise = body.end === 'else' ? block().render : () => '';
      if (body.end !== 'else' && body.end !== 'end') throw new Error(`not rendered here: ${body.end}`);
      if (keyword === 'define') {
        templates.set(JSON.parse(rest) as string, body.render);
        return () => '';
      }
      if (keyword === 'range') return range(rest, body.render);
      const condition = expression(rest);
      return (scope) => {
        const value = condition(scope);
        if (!isTrue(value)) return otherwise(scope);
        return body.render(keyword === 'with' ? { ...scope, dot: value } : scope);
      };
    }

    function range(source: string, body: Render): Render {
      const [, key, item, over = source] = /^(\$\w+), (\$\w+) := (.*)$/s.exec(source) ?? [];
      const list = expression(over);
      return (scope) =>
        entriesOf(list(scope))
          .map(([name, dot]) => {
            const variables = new Map(scope.variables);
            if (key !== undefined && item !== undefined) variables.set(key, name).set(item, dot);
            return body({ dot, variables });
          })
          .join('');
    }

    const { render, end } = block();
    if (end !== '') throw new Error(`{{ ${end} }} without a beginning`);
    return render;
  };
}

function createExpressions(templates: Map<string, Render>, folder: string) {
  const calls = createCalls(templates);

  function operand(words: string[]): Evaluate {
    const word = words.shift() as string;
    if (word === '(') {
      const inner = pipeline(words);
      words.shift();
      return inner;
    }
    if (word.startsWith('"')) return () => JSON.parse(word) as string;
    if (/^-?\d+$/.test(word)) return () => Number(word);
    if (word.startsWith('$')) {
      const [name = '', ...path] = word.split('.');
      return ({ variables }) => valueAt(variables.get(name), path);
    }
    if (word.startsWith('.')) return ({ dot }) => valueAt(dot, word.slice(1).split('.').filter(Boolean));
    throw new Error(`not rendered here: ${word}`);
  }

  function command(words: string[]): (last: readonly Value[]) => Evaluate {
    const first = words[0] as string;
    if (first === '.Files.Get') {
      words.shift();
      const file = operand(words);
      return () => (scope) => readFileSync(join(folder, file(scope) as string), 'utf8');
    }
    const call = /^[a-z]/i.test(first) ? calls[words.shift() as string] : undefined;
    if (call === undefined && /^[a-z]/i.test(first)) throw new Error(`not rendered here: ${first}`);
    const operands: Evaluate[] = [];
    while (words.length > 0 && words[0] !== '|' && words[0] !== ')') operands.push(operand(words));
    if (call === undefined) return () => operands[0] as Evaluate;
    return (last) => (scope) => call([...operands.map((each) => each(scope)), ...last], scope);
  }

  function pipeline(words: string[]): Evaluate {
    const commands = [command(words)];
    while (words[0] === '|') {
      words.shift();
      commands.push(command(words));
    }
    return (scope) => commands.reduce<readonly Value[]>((last, each) => [each(last)(scope)], [])[0];
  }

  return (source: string): Evaluate => {
    const words = source.match(WORD) ?? [];
    const evaluate = pipeline(words);
    if (words.length > 0) throw new Error(`not rendered here: ${source}`);
    return evaluate;
  };
}

function createCalls(templates: Map<string, Render>): Readonly<Record<string, Call>> {
  const nindent = (width: Value, text: Value) =>
    `\n${String(text).replace(/^/gm, ' '.repeat(width as number))}`;
  return {
    include([name, dot]) {
      const render = templates.get(name as string);
      if (render === undefined) throw new Error(`no template ${name}`);
      return render({ dot, variables: new Map([['$', dot]]) });
    },
    fail([message]) {
      throw new Error(String(message));
    },
    toYaml: ([value]) => stringify(value).trimEnd(),
    nindent: ([width, text]) => nindent(width, text),
    quote: ([value]) => JSON.stringify(textOf(value)),
    toString: ([value]: readonly Value[]) => textOf(value),
    printf: ([format, ...args]) => {
      const rest = [...args];
      return String(format).replaceAll('%s', () => textOf(rest.shift()));
    },
    contains: ([part, text]) => String(text).includes(String(part)),
    trunc: ([length, text]) => String(text).slice(0, length as number),
    trimSuffix: ([end, text]) =>
      String(text).endsWith(String(end)) ? String(text).slice(0, -String(end).length) : text,
    sha256sum: ([text]) => createHash('sha256').update(String(text)).digest('hex'),
    default: ([fallback, value]) => (isTrue(value) ? value : fallback),
    int: ([value]) => Math.trunc(Number(value)),
    gt: ([a, b]) => (a as number) > (b as number),
    not: ([value]) => !isTrue(value),
    and: (values) => (values.every(isTrue) ? values.at(-1) : false),
    or: (values) => values.some(isTrue),
  };
}

function isMap(value: Value): value is Record<string, Value> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Like Go's `range`: lists in order, maps by name. */
function entriesOf(value: Value): [string, Value][] {
  const entries = Object.entries(value as object) as [string, Value][];
  return Array.isArray(value) ? entries : entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Truth as in Go: empty texts, lists and maps are false. */
function isTrue(value: Value): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function valueAt(value: Value, path: readonly string[]): Value {
  return path.reduce<Value>((found, name) => (isMap(found) ? found[name] : undefined), value);
}

function textOf(value: Value): string {
  return value === undefined || value === null ? '' : String(value);
}
