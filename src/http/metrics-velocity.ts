/** What Prometheus reads about the memory in which this node counts velocity. */
import { Counter, Gauge, type Registry } from 'prom-client';

export interface VelocityUse {
  readonly velocityBytes: number;
  readonly maxVelocityBytes: number;
  /** Attempts forgotten before their time, since the start. */
  readonly forgotten: number;
}

export interface VelocityMetrics {
  /** Called at each scrape. */
  velocityMemory(read: () => VelocityUse): void;
}

export function createVelocityMetrics(registry: Registry): VelocityMetrics {
  let read: () => VelocityUse = () => ({ velocityBytes: 0, maxVelocityBytes: 0, forgotten: 0 });
  let reported = 0;
  const registers = [registry];
  new Gauge({
    name: 'gatehouse_velocity_bytes',
    help: 'Memory that this node uses to count velocity.',
    registers,
    collect() {
      this.set(read().velocityBytes);
    },
  });
  new Gauge({
    name: 'gatehouse_velocity_max_bytes',
    help: 'Memory that this node may use to count velocity.',
    registers,
    collect() {
      this.set(read().maxVelocityBytes);
    },
  });
  new Counter({
    name: 'gatehouse_velocity_forgotten_total',
    help: 'Attempts younger than 24 hours that this node forgot because that memory was full.',
    registers,
    collect() {
      const { forgotten } = read();
      this.inc(forgotten - reported);
      reported = forgotten;
    },
  });
  return {
    velocityMemory(readUse) {
      read = readUse;
    },
  };
}
