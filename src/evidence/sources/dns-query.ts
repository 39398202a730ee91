/** Decides in which order the servers are asked one question, and which reply is the result. */
import {
  type DnsReply,
  FAILED,
  isTruncated,
  type QuestionType,
  readReply,
  refusesEdns,
  repeatsCase,
  SILENT,
  writeQuery,
} from './dns-message.ts';
import { askOverTcp, askOverUdp, type ServerAddress, type Transmission } from './dns-transport.ts';

export interface QueryOptions {
  readonly name: string;
  readonly type: QuestionType;
  /** Servers in the order to ask them; a lone server is asked twice, since datagrams get lost. */
  readonly servers: readonly ServerAddress[];
  /** The next server is asked as well when none has replied for this long. */
  readonly retryMs: number;
  /** Whether the first is asked over TCP once all were asked over UDP: an answer may be too large or malformed for UDP. */
  readonly tcpLast?: boolean;
  /** Time without a usable reply after which the query ends. */
  readonly patienceMs: number;
  /** Called for every reply, a failure included. */
  readonly onReply: (server: ServerAddress, usable: boolean) => void;
}

export interface DnsQuery {
  /** True once any server replied, even with a failure. */
  readonly heard: boolean;
  /** Settles once and never rejects. */
  readonly reply: Promise<DnsReply>;
  /** Ends the query as if its patience were over. */
  stop(): void;
}

export function startQuery(options: QueryOptions): DnsQuery {
  return new Query(options);
}

class Query implements DnsQuery {
  heard = false;
  readonly reply: Promise<DnsReply>;
  readonly #options: QueryOptions;
  readonly #toAsk: ServerAddress[];
  readonly #spent = new Set<ServerAddress>();
  readonly #inFlight = new Set<Transmission>();
  #tcpLeft: boolean;
  readonly #retry: NodeJS.Timeout;
  readonly #patience: NodeJS.Timeout;
  #resolve: (reply: DnsReply) => void = () => {};

  constructor(options: QueryOptions) {
    const { servers } = options;
    this.#options = options;
    this.#tcpLeft = options.tcpLast === true;
    this.#toAsk = servers.length === 1 ? [...servers, ...servers] : [...servers];
    this.reply = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#retry = setInterval(() => this.#askNext(), options.retryMs).unref();
    this.#patience = setTimeout(() => this.stop(), options.patienceMs).unref();
    this.#askNext();
  }

  stop(): void {
    this.#finish(this.heard ? FAILED : SILENT);
  }

  #askNext(): void {
    const server = this.#toAsk.shift();
    const [first] = this.#options.servers;
    if (server === undefined && this.#tcpLeft && first !== undefined) {
      this.#ask(first, askOverTcp, true);
    } else if (server === undefined) {
      clearInterval(this.#retry);
      if (this.#inFlight.size === 0) this.stop();
    } else if (this.#spent.has(server)) {
      this.#askNext();
    } else {
      this.#ask(server, askOverUdp, true);
    }
  }

  /** Asks over UDP with letters in random case: over TCP nobody but the server can answer. */
  #ask(server: ServerAddress, ask: typeof askOverUdp, edns: boolean): void {
    const { name, type } = this.#options;
    if (ask === askOverTcp) this.#tcpLeft = false;
    const query = writeQuery(name, type, { edns, mixedCase: ask === askOverUdp });
    const transmission = ask(server, query, {
      reply: (message) => {
        this.#inFlight.delete(transmission);
        if (ask === askOverUdp && !repeatsCase(query, message)) this.#ask(server, askOverTcp, edns);
        else this.#take(server, message, ask, edns);
      },
      lost: () => {
        this.#inFlight.delete(transmission);
        this.#giveUp(server);
      },
    });
    this.#inFlight.add(transmission);
  }

  #take(server: ServerAddress, message: Buffer, ask: typeof askOverUdp, edns: boolean): void {
    const { name, type, onReply } = this.#options;
    this.heard = true;
    const mustRetry = isTruncated(message) ? ask !== askOverTcp : edns && refusesEdns(message);
    const reply = mustRetry || isTruncated(message) ? FAILED : readReply(message, name, type);
    onReply(server, reply.status !== 'failed');
    if (mustRetry && isTruncated(message)) this.#ask(server, askOverTcp, edns);
    else if (mustRetry) this.#ask(server, ask, false);
    else if (reply.status === 'failed') this.#giveUp(server);
    else this.#finish(reply);
  }

  #giveUp(server: ServerAddress): void {
    this.#spent.add(server);
    this.#askNext();
  }

  #finish(reply: DnsReply): void {
    clearInterval(this.#retry);
    clearTimeout(this.#patience);
    this.#toAsk.length = 0;
    for (const transmission of this.#inFlight) transmission.stop();
    this.#inFlight.clear();
    this.#resolve(reply);
  }
}
