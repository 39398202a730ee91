/** Decides that no connection error ends the process: TLS may report a second error after the first closed the connection. */
import { SentinelConnector } from 'ioredis';
import { StandaloneConnector } from 'ioredis/built/connectors/index.js';

type Sentinels = ConstructorParameters<typeof SentinelConnector>[0];
type Report = Parameters<SentinelConnector['connect']>[0];

/** The client listens for the first error only; a second one would be thrown. */
export class ServerConnector extends StandaloneConnector {
  constructor(options: unknown) {
    super(options as ConstructorParameters<typeof StandaloneConnector>[0]);
  }

  override async connect(report: Report) {
    const stream = await super.connect(report);
    return stream.on('error', ignore);
  }
}

/** The same through Sentinels, including the connections to the Sentinels. */
export class ThroughSentinels extends SentinelConnector {
  constructor(options: unknown) {
    super(options as Sentinels);
    const { connectToSentinel } = this as unknown as {
      connectToSentinel(endpoint: object, options?: object): unknown;
    };
    Object.assign(this, {
      connectToSentinel: (endpoint: object, more?: object) =>
        connectToSentinel.call(this, endpoint, { ...more, Connector: ServerConnector }),
    });
  }

  override async connect(report: Report) {
    const stream = await super.connect(report);
    return stream.on('error', ignore);
  }
}

function ignore(): void {}
