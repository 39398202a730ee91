import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

it('tells what velocity takes, may take, and had to forget', async () => {
  const metrics = createMetrics({ version: '1' });
  const use = { velocityBytes: 10, maxVelocityBytes: 20, forgotten: 3 };
  metrics.velocityMemory(() => use);
  await metrics.expose(true);
  use.forgotten = 5;
  const { text } = await metrics.expose(true);
  expect(text).toContain('gatehouse_velocity_bytes 10\n');
  expect(text).toContain('gatehouse_velocity_max_bytes 20\n');
  expect(text).toContain('gatehouse_velocity_forgotten_total 5\n');
});
