/** Alerts, dashboard and the autoscaler's rule name metrics, labels and operations that the service has. */
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { at, fileOf, type Tree, treeOf } from '../support/deployment.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

const { text } = await createMetrics({ version: '0.0.0' }).expose(false);
const families = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
const series = new Set(
  families.flatMap(([, name, type]) =>
    type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
  ),
);
const rules = at<Tree[]>(treeOf('deploy/prometheus/alerts.yaml'), 'groups', 0, 'rules');
const adapter = at(treeOf('deploy/prometheus/adapter-rules.yaml'), 'rules', 0);
const dashboard = JSON.parse(fileOf('deploy/grafana/gatehouse.json')) as {
  panels: Panel[];
  templating: { list: { query: string | { query: string } }[] };
  annotations: { list: { expr: string }[] };
};
const queries = [
  ...rules.map(({ expr }) => String(expr)),
  String(adapter.seriesQuery),
  String(adapter.metricsQuery),
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.annotations.list.map(({ expr }) => expr),
  ...dashboard.templating.list.map(({ query }) => (typeof query === 'string' ? query : query.query)),
];

describe('every query', () => {
  it('names metrics that exist', () => {
    const named = queries.flatMap((query) => query.match(/\bgatehouse_\w+/g) ?? []);
    expect(named.length).toBeGreaterThan(40);
    expect([...new Set(named)].filter((name) => !series.has(name))).toEqual([]);
  });

  it('names operations that exist', () => {
    const named = queries.flatMap((query) => [...query.matchAll(/operation!?="(\w+)"/g)].map(([, id]) => id));
    const ids: string[] = Object.values(OPERATIONS).map(({ id }) => id);
    expect(new Set(named)).toEqual(new Set(['assessSignup']));
    expect(ids).toContain('assessSignup');
  });

  it('has balanced brackets', () => {
    for (const query of queries)
      for (const [open, close] of ['()', '{}', '[]'].map((pair) => [...pair]))
        expect(query.split(open as string).length, query).toBe(query.split(close as string).length);
  });
});

describe('the alerts', () => {
  it.each(rules.map((rule) => [String(rule.alert), rule] as const))('%s says what to do', (name, rule) => {
    expect(name).toMatch(/^Gatehouse[A-Z]\w+$/);
    expect(['page', 'ticket']).toContain(at(rule, 'labels', 'severity'));
    expect(at<string>(rule, 'annotations', 'summary').length).toBeGreaterThan(20);
    expect(at<string>(rule, 'annotations', 'description').length).toBeGreaterThan(40);
  });

  it('are the same for the Prometheus operator, with the job name that it uses', () => {
    const rule = treeOf('deploy/kubernetes/monitoring/prometheus-rule.yaml');
    expect(at(rule, 'spec')).toEqual(treeOf('deploy/prometheus/alerts.yaml'));
    const monitor = at(treeOf('deploy/kubernetes/monitoring/service-monitor.yaml'));
    const label = at<string>(monitor, 'spec', 'jobLabel');
    const job = at(monitor, 'spec', 'selector', 'matchLabels', label);
    const jobs = rules.flatMap(({ expr }) =>
      [...String(expr).matchAll(/job="(\w+)"/g)].map(([, name]) => name),
    );
    expect(new Set(jobs)).toEqual(new Set([job]));
  });

  it('are all tested by promtool’s file', () => {
    const tested = fileOf('deploy/prometheus/alerts-test.yaml');
    expect(rules.map(({ alert }) => String(alert)).filter((name) => !tested.includes(name))).toEqual([]);
  });

  it('are all described in docs/monitoring.md', () => {
    const documentation = fileOf('docs/monitoring.md');
    expect(rules.map(({ alert }) => String(alert)).filter((name) => !documentation.includes(name))).toEqual(
      [],
    );
  });
});

describe('the dashboard', () => {
  const { panels } = dashboard;

  it('has panels with unique ids and titles, and each has a query', () => {
    expect(panels.length).toBeGreaterThan(20);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    expect(panels.filter(({ type, targets }) => (type === 'row') !== (targets === undefined))).toEqual([]);
  });

  it('has no panel that covers another', () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});
