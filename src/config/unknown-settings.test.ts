import { describe, expect, it } from 'vitest';
import { SETTINGS } from './settings.ts';
import { findUnknown } from './unknown-settings.ts';

const KNOWN = Object.values(SETTINGS).map(({ name }) => name);

describe('a variable with a name like a setting', () => {
  it.each([
    ['GATEHOUSE_FEED', 'GATEHOUSE_FEED (GATEHOUSE_FEEDS?)'],
    ['GATEHOUSE_LOGLEVEL', 'GATEHOUSE_LOGLEVEL (GATEHOUSE_LOG_LEVEL?)'],
    ['GATEHOUSE_DATABASE_URL', 'GATEHOUSE_DATABASE_URL (DATABASE_URL?)'],
    ['GATEHOUSE_PORT', 'GATEHOUSE_PORT (PORT?)'],
    ['GATEHOUSE_feeds', 'GATEHOUSE_feeds (GATEHOUSE_FEEDS?)'],
    ['GATEHOUSE_TEST_ON', 'GATEHOUSE_TEST_ON'],
    ['GATEHOUSE_VERSION', 'GATEHOUSE_VERSION'],
    ['GATEHOUSE_SOMETHING_ELSE_ENTIRELY', 'GATEHOUSE_SOMETHING_ELSE_ENTIRELY'],
  ])('%s is found, with the most similar setting and without its value', (name, phrase) => {
    expect(findUnknown({ [name]: 'hunter2' }, KNOWN)).toEqual([phrase]);
  });

  it('is not reported if it is a setting, or has another prefix', () => {
    const all = Object.fromEntries([...KNOWN, 'PATH', 'MY_GATEHOUSE_FEED'].map((name) => [name, 'x']));
    expect(findUnknown(all, KNOWN)).toEqual([]);
  });

  it('is not reported if it is empty, which counts as unset', () => {
    expect(findUnknown({ GATEHOUSE_FEED: ' ' }, KNOWN)).toEqual([]);
  });

  it('is not reported if an orchestrator sets it for a service called gatehouse', () => {
    const variables = {
      GATEHOUSE_SERVICE_HOST: '10.0.0.7',
      GATEHOUSE_SERVICE_PORT: '80',
      GATEHOUSE_SERVICE_PORT_HTTP: '80',
      GATEHOUSE_PORT: 'tcp://10.0.0.7:80',
      GATEHOUSE_PORT_80_TCP: 'tcp://10.0.0.7:80',
      GATEHOUSE_PORT_80_TCP_PROTO: 'tcp',
      GATEHOUSE_PORT_80_TCP_PORT: '80',
      GATEHOUSE_PORT_80_TCP_ADDR: '10.0.0.7',
      GATEHOUSE_METRICS_SERVICE_HOST: '10.0.0.8',
      GATEHOUSE_METRICS_PORT: 'tcp://10.0.0.8:9090',
    };
    expect(findUnknown(variables, KNOWN)).toEqual([]);
  });
});
