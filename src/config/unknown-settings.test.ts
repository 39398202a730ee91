import { describe, expect, it } from 'vitest';
import { SETTINGS } from './settings.ts';
import { findUnknown } from './unknown-settings.ts';

const KNOWN = Object.values(SETTINGS).map(({ name }) => name);

describe('a variable that is named like a setting', () => {
  it.each([
    ['GATEHOUSE_FEED', 'GATEHOUSE_FEED (GATEHOUSE_FEEDS?)'],
    ['GATEHOUSE_LOGLEVEL', 'GATEHOUSE_LOGLEVEL (GATEHOUSE_LOG_LEVEL?)'],
    ['GATEHOUSE_DATABASE_URL', 'GATEHOUSE_DATABASE_URL (DATABASE_URL?)'],
    ['GATEHOUSE_PORT', 'GATEHOUSE_PORT (PORT?)'],
    ['GATEHOUSE_feeds', 'GATEHOUSE_feeds (GATEHOUSE_FEEDS?)'],
    ['GATEHOUSE_TEST_ON', 'GATEHOUSE_TEST_ON'],
    ['GATEHOUSE_VERSION', 'GATEHOUSE_VERSION'],
    ['GATEHOUSE_SOMETHING_ELSE_ENTIRELY', 'GATEHOUSE_SOMETHING_ELSE_ENTIRELY'],
  ])('%s is found, with what may be meant and without its value', (name, phrase) => {
    expect(findUnknown({ [name]: 'hunter2' }, KNOWN)).toEqual([phrase]);
  });

  it('is left alone where it is one, or is nobody’s of ours', () => {
    const all = Object.fromEntries([...KNOWN, 'PATH', 'MY_GATEHOUSE_FEED'].map((name) => [name, 'x']));
    expect(findUnknown(all, KNOWN)).toEqual([]);
  });

  it('is left alone where it is empty, which is as good as unset', () => {
    expect(findUnknown({ GATEHOUSE_FEED: ' ' }, KNOWN)).toEqual([]);
  });

  it('is left alone where an orchestrator tells of a service called gatehouse', () => {
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
