/** Checks of the Helm chart that need no helm: its values and its templates fit each other, and its settings exist. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { at, fileOf, ROOT, type Tree, treeOf } from '../support/deployment.ts';

const CHART = 'deploy/helm/gatehouse';
const VALUES = treeOf(`${CHART}/values.yaml`);
const TEMPLATES = new Map(
  readdirSync(join(ROOT, CHART, 'templates')).map((file) => [file, fileOf(`${CHART}/templates/${file}`)]),
);
const ALL = [...TEMPLATES.values()].join('\n');
const NAMES: readonly string[] = Object.values(SETTINGS).map(({ name }) => name);
/** Any setting may be set there. */
const ANY_SETTING = 'settings.';

describe('the values', () => {
  const used = new Set([...ALL.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path));
  const given = pathsOf(VALUES);

  it('that the templates read have a default, or are settings', () => {
    expect(used.size).toBeGreaterThan(30);
    const unknown = [...used].filter((path) =>
      path.startsWith(ANY_SETTING) ? !NAMES.includes(path.slice(ANY_SETTING.length)) : !given.has(path),
    );
    expect(unknown).toEqual([]);
  });

  it('are all read by a template', () => {
    const isRead = (path: string): boolean =>
      used.has(path) || (path.includes('.') && isRead(path.slice(0, path.lastIndexOf('.'))));
    expect([...given].filter((path) => !isRead(path) && typeof valueAt(path) !== 'object')).toEqual([]);
  });

  it('name settings that exist, and valid ones', () => {
    const settings = at<{ [name: string]: string }>(VALUES, 'settings');
    expect(Object.keys(settings).filter((name) => !NAMES.includes(name))).toEqual([]);
    expect(() => readConfig(settings)).not.toThrow();
    const secret = Object.values(SETTINGS).filter((setting) => setting.secret);
    const named = at<string[]>(VALUES, 'secretSettings');
    expect(named.filter((name) => !secret.some((setting) => setting.name === name))).toEqual([]);
  });

  const valueAt = (path: string) => at<unknown>(VALUES, ...path.split('.'));
});

describe('the templates', () => {
  it.each([...TEMPLATES])('%s closes what it opens, and has no tab', (_, text) => {
    expect(text).not.toContain('\t');
    const actions = [...text.matchAll(/\{\{-?\s*(.*?)\s*-?\}\}/gs)].map(([, action = '']) => action);
    expect(text.split('{{')).toHaveLength(actions.length + 1);
    expect(text.split('}}')).toHaveLength(actions.length + 1);
    const opened = actions.filter((action) => /^(?:if|with|range|define|block)\b/.test(action));
    expect(actions.filter((action) => action === 'end')).toHaveLength(opened.length);
  });

  it('include only what is defined, and files that are there', () => {
    const defined = namesIn(/\{\{-? define "([^"]+)"/g);
    const included = namesIn(/\binclude "([^"]+)"/g);
    expect(included.size).toBeGreaterThan(3);
    expect([...included].filter((name) => !defined.has(name))).toEqual([]);
    for (const file of namesIn(/\.Files\.Get "([^"]+)"/g)) expect(fileOf(`${CHART}/${file}`)).not.toBe('');
  });
});

it('has the version of the service', () => {
  const { version } = JSON.parse(fileOf('package.json')) as { version: string };
  expect(treeOf(`${CHART}/Chart.yaml`)).toMatchObject({ name: 'gatehouse', appVersion: version });
});

function namesIn(pattern: RegExp): ReadonlySet<string> {
  return new Set([...ALL.matchAll(pattern)].map(([, name = '']) => name));
}

/** The paths of all values, those of maps too. */
function pathsOf(tree: Tree, before = ''): ReadonlySet<string> {
  const paths = Object.entries(tree).flatMap(([key, value]) => {
    const path = `${before}${key}`;
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isMap ? [path, ...pathsOf(value, `${path}.`)] : [path];
  });
  return new Set(paths);
}
