/** How events are delivered, with any store: real receivers on loopback that fail, hang, redirect, and want no more. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aDestination } from '../../test/support/a-destination.ts';
import { anAccount } from '../../test/support/an-account.ts';
import { anAssessment } from '../../test/support/an-assessment.ts';
import { createSecretBox } from '../accounts/secret-box.ts';
import { createMakeId } from '../contract/identifiers.ts';
import type { Delivery, Destination, NewEvent } from '../model/event.ts';
import type { CommittedSignups } from '../store/committed-signups.ts';
import type { Account, Store } from '../store/store.ts';
import { createEvents, type Events, type EventsOptions } from './events.ts';
import { makeWebhookSecret } from './signature.ts';
import { type SeenSignup, toSeenSignup } from './signup-events.ts';

export interface DeliveryPlace {
  open(): Promise<Store> | Store;
  follow(since: number, make: typeof toSeenSignup): Promise<CommittedSignups<SeenSignup>>;
  remove(): Promise<void>;
}

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly message: {
    readonly id: string;
    readonly object: string;
    readonly type: string;
    readonly data: never;
  };
}

/** Answers by path. */
type Answer = (request: IncomingMessage, response: ServerResponse, times: number) => void;

/** Longer than the clock is moved while a try is under way. */
const LEASE_MS = 1e11;

const makeId = createMakeId();
const box = createSecretBox(Buffer.alloc(32, 7));

export function describeDeliveries(name: string, makePlace: () => Promise<DeliveryPlace>): void {
  describe(`events that are delivered with ${name}`, () => {
    let place: DeliveryPlace;
    let store: Store;
    let receiver: Server;
    let origin: string;
    const received = new Map<string, Received[]>();
    const answers = new Map<string, Answer>();
    const running: Events[] = [];

    beforeAll(async () => {
      place = await makePlace();
      store = await place.open();
      receiver = createServer(async (request, response) => {
        let body = '';
        for await (const chunk of request) body += chunk;
        const path = request.url ?? '';
        const all = received.get(path) ?? [];
        received.set(path, all);
        const headers = request.headers as Record<string, string>;
        all.push({ headers, body, message: JSON.parse(body) });
        const answer = answers.get(path);
        if (answer === undefined) response.end();
        else answer(request, response, all.length);
      });
      await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
      origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    });
    afterEach(async () => {
      for (const events of running.splice(0)) await events.close();
    });
    afterAll(async () => {
      receiver.closeAllConnections();
      receiver.close();
      await store.close();
      await place.remove();
    });

    /** Time runs faster for what is to be tried again. */
    let ahead = 0;
    function start(options: Partial<EventsOptions> = {}): Events {
      const events = createEvents({
        store,
        box,
        directory: { account: () => ({ name: 'Shop <1>' }) as Account, keysOf: () => [], hooksOf: () => [] },
        smtpServer: null,
        smtpFrom: null,
        isAlone: false,
        findSignup: async (accountId, requestId) =>
          (await store.findStored(requestId, { accountId, mode: 'live' })) && {
            verdict: 'block',
            score: 91,
            reasons: [],
          },
        follow: (since) => place.follow(since, toSeenSignup),
        log: pino({ level: 'silent' }),
        clock: () => Date.now() + ahead,
        proxies: undefined,
        allowsPrivate: true,
        publicUrl: 'https://gatehouse.example.com',
        keptDays: 30,
        forTests: { pollMs: 10, leaseMs: LEASE_MS, limitMs: 20_000 },
        ...options,
      });
      running.push(events);
      void events.start();
      return events;
    }

    async function newDestination(
      path: string,
      fields: Partial<Destination> = {},
    ): Promise<Destination & { readonly secret: string }> {
      const accountId = makeId('acc', Date.now());
      await store.saveAccount(anAccount({ id: accountId }));
      const secret = makeWebhookSecret();
      const made = aDestination(accountId, { address: origin + path, since: 0, ...fields });
      const secrets = { current: box.encrypt(secret, made.id), previous: null };
      const destination = { ...made, secrets: fields.secrets ?? secrets };
      await store.saveDestination(destination);
      return { ...destination, secret };
    }

    const happens = ({ accountId }: Destination, object = 'alr_1', fields: Partial<NewEvent> = {}) =>
      store.saveEvent({
        accountId,
        type: 'alert.opened',
        object,
        at: Date.now(),
        data: { text: 'Many.' },
        ...fields,
      });
    const log = async ({ accountId, id }: Destination) =>
      (await store.deliveries(accountId, id, { limit: 100 })).deliveries.toReversed();
    const last = async (destination: Destination) => (await log(destination)).at(-1) as Delivery;
    const at = (path: string) => received.get(path) ?? [];
    const until = (what: () => unknown) => expect.poll(what, { timeout: 60_000, interval: 20 });

    it('are signed as the standard says, and say what happened', async () => {
      const destination = await newDestination('/plain');
      start();
      await happens(destination);
      await until(() => at('/plain').length).toBe(1);
      const [{ headers, body, message }] = at('/plain') as [Received];
      expect(new Webhook(destination.secret).verify(body, headers)).toEqual(message);
      expect(headers['content-type']).toBe('application/json');
      expect(message).toEqual({
        id: headers['webhook-id'],
        type: 'alert.opened',
        version: 1,
        timestamp: expect.stringMatching(/Z$/),
        account_id: destination.accountId,
        object: 'alr_1',
        data: { text: 'Many.', path: `/accounts/${destination.accountId}/alerts/alr_1` },
      });
      await until(() => last(destination)).toMatchObject({ state: 'delivered', tries: 1, status: 200 });
    });

    it('have two signatures while a secret is being replaced', async () => {
      const destination = await newDestination('/rotated');
      const newer = makeWebhookSecret();
      const previous = { text: destination.secrets.current as string, until: Date.now() + 60_000 };
      const secrets = { current: box.encrypt(newer, destination.id), previous };
      await store.changeDestination(destination.accountId, destination.id, { secrets });
      start();
      await happens(destination);
      await until(() => at('/rotated').length).toBe(1);
      const [{ headers, body }] = at('/rotated') as [Received];
      for (const secret of [destination.secret, newer]) new Webhook(secret).verify(body, headers);
      const over = { ...previous, until: Date.now() };
      await store.changeDestination(destination.accountId, destination.id, {
        secrets: { ...secrets, previous: over },
      });
      await happens(destination);
      await until(() => at('/rotated').length).toBe(2);
      const second = at('/rotated')[1] as Received;
      new Webhook(newer).verify(second.body, second.headers);
      expect(() => new Webhook(destination.secret).verify(second.body, second.headers)).toThrow();
    });

    it('are tried again until they are taken, those of one object in order', async () => {
      answers.set('/fails', (_, response, times) => response.writeHead(times <= 3 ? 500 : 204).end());
      const destination = await newDestination('/fails');
      for (const data of [{ n: 1 }, { n: 2 }, { n: 3 }]) await happens(destination, 'alr_1', { data });
      start();
      await until(async () => {
        ahead += 60_000;
        return (await log(destination)).map(({ state }) => state);
      }).toEqual(Array(3).fill('delivered'));
      expect(at('/fails').map(({ message }) => (message.data as { n: number }).n)).toEqual([
        1, 1, 1, 1, 2, 3,
      ]);
      expect(new Set(at('/fails').map(({ message }) => message.id)).size).toBe(3);
      expect((await log(destination)).map(({ tries }) => tries)).toEqual([4, 1, 1]);
    });

    it('of a destination that hangs delay no other', async () => {
      answers.set('/hangs', () => {});
      const hanging = await newDestination('/hangs');
      const other = await newDestination('/works');
      for (let n = 0; n < 20; n += 1) await happens(hanging, `alr_${n}`);
      start({ forTests: { pollMs: 10, leaseMs: LEASE_MS, limitMs: 1_000 } });
      await until(() => at('/hangs').length).toBeGreaterThan(0);
      for (let n = 0; n < 20; n += 1) await happens(other, `alr_${n}`);
      await until(() => at('/works').length).toBe(20);
      await until(async () => (await log(hanging)).some(({ problem }) => problem !== null)).toBe(true);
      const problems = (await log(hanging)).map(({ problem }) => problem).filter(Boolean);
      expect(new Set(problems)).toEqual(new Set(['no answer within 1 seconds']));
      // Four at a time, then it is left alone for a while.
      expect(at('/hangs').length).toBeLessThanOrEqual(8);
    });

    it('end at 410: the destination is disabled, and the audit log says so', async () => {
      answers.set('/gone', (_, response) => response.writeHead(410).end());
      const destination = await newDestination('/gone');
      for (let n = 0; n < 4; n += 1) await happens(destination, `alr_${n}`);
      start();
      await until(async () => (await log(destination)).map(({ status }) => status)).toEqual(
        Array(4).fill(410),
      );
      const [stored] = await store.destinations(destination.accountId);
      expect(stored?.disabled).toEqual({ at: expect.any(Number), reason: 'gone' });
      const { entries } = await store.auditEntries(destination.accountId, null, 9);
      expect(entries.map(({ action }) => action)).toEqual(['destination.disable']);
      await happens(destination);
      expect(await log(destination)).toHaveLength(4);
    });

    it('wait as long as Retry-After says', async () => {
      answers.set('/busy', (_, response, times) =>
        times === 1 ? response.writeHead(429, { 'retry-after': '7200' }).end() : response.end(),
      );
      const destination = await newDestination('/busy');
      start();
      await happens(destination);
      await until(() => last(destination)).toMatchObject({ state: 'pending', status: 429 });
      expect((await last(destination)).nextAt).toBeGreaterThanOrEqual(Date.now() + ahead + 7_000_000);
      ahead += 7_200_000;
      await until(() => last(destination)).toMatchObject({ state: 'delivered', tries: 2 });
    });

    it('follow no redirect, and lead to no private address', async () => {
      answers.set('/moved', (_, response) => response.writeHead(302, { location: `${origin}/stolen` }).end());
      const moved = await newDestination('/moved');
      start();
      await happens(moved);
      await until(() => last(moved)).toMatchObject({ state: 'pending', status: 302 });
      expect((await last(moved)).problem).toMatch(/redirects are not followed/);
      await running.pop()?.close();
      const inside = await newDestination('/inside');
      const named = await newDestination('/x', { address: 'https://localhost/x' });
      start({ allowsPrivate: false });
      await happens(inside);
      await happens(named);
      for (const destination of [inside, named])
        await until(async () => (await last(destination)).problem).toMatch(/is not a public address/);
      expect([at('/inside'), at('/stolen')]).toEqual([[], []]);
    });

    it('that cannot be made say so plainly, and the log has the rest', async () => {
      const secrets = { current: 'v1.ofanotherinstallation', previous: null };
      const unreadable = await newDestination('/unreadable', { secrets });
      const broken = await newDestination('/broken-read');
      const findSignup = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432'));
      start({ findSignup });
      await happens(unreadable);
      await happens(broken, 'req_1', { type: 'feedback.created' });
      await until(async () => (await last(unreadable)).problem).toMatch(/^its secret cannot be read/);
      await until(async () => (await last(broken)).problem).toMatch(
        /^the message could not be made: the log/,
      );
    });

    it('are given up after a day', async () => {
      answers.set('/broken', (_, response) => response.writeHead(500).end());
      const destination = await newDestination('/broken');
      start();
      await happens(destination);
      await until(async () => {
        ahead += 600_000;
        return (await last(destination)).state;
      }).toBe('failed');
      const { length } = at('/broken');
      expect(length).toBeGreaterThan(2);
      // And again when somebody asks for it.
      answers.delete('/broken');
      const { event } = await last(destination);
      const now = Date.now() + ahead;
      await store.replayDelivery(destination.accountId, destination.id, event.id, now);
      await until(() => last(destination)).toMatchObject({ state: 'delivered' });
      expect(at('/broken')[length]?.message.id).toBe(event.id);
    });

    async function saveTest({ id: destinationId, accountId }: Destination): Promise<string> {
      const event = { destinationId, accountId, type: 'test', at: Date.now(), data: {} } as const;
      return (await store.saveDirectEvent(event)) as string;
    }

    it('can be tried at once', async () => {
      const destination = await newDestination('/test', { types: [] });
      const events = start();
      const id = await saveTest(destination);
      const result = await events.tryNow(destination, id);
      // Or the loop was faster.
      if (result !== undefined) expect(result).toEqual({ outcome: 'delivered', status: 200 });
      await until(() => at('/test').length).toBe(1);
      expect(at('/test')[0]?.message.type).toBe('test');
    });

    it('that is tried at once ends before the service does', async () => {
      const destination = await newDestination('/at-once', { types: [] });
      answers.set('/at-once', () => {});
      const id = await saveTest(destination);
      const events = start();
      const ends = events.tryNow(destination, id).then(() => 'over');
      await until(() => at('/at-once').length).toBe(1);
      await running.pop()?.close();
      expect(await Promise.race([ends, 'not over'])).toBe('over');
    });

    it('of signups come behind their commit, by verdict, and not of those that were erased', async () => {
      const destination = await newDestination('/signups', {
        types: ['signup.assessed'],
        verdicts: ['block'],
      });
      start();
      const { accountId } = destination;
      const record = (verdict: 'allow' | 'block', mode: 'live' | 'test' = 'live') => {
        const signup = anAssessment({ accountId, verdict, mode, at: Date.now() });
        return store.record(signup).then(() => signup.requestId);
      };
      const blocked = await record('block');
      await record('allow');
      await record('block', 'test');
      const later = await record('block');
      await until(() => at('/signups').length).toBe(2);
      expect(
        at('/signups')
          .map(({ message }) => message.object)
          .sort(),
      ).toEqual([blocked, later].sort());
      expect(at('/signups')[0]?.message).toMatchObject({ type: 'signup.assessed', data: { score: 91 } });
      await until(async () => (await log(destination)).every(({ state }) => state === 'delivered')).toBe(
        true,
      );
      await running.pop()?.close();
      // The next process reads the same signups again, and tells each once.
      start();
      const third = await record('block');
      await until(() => at('/signups').length).toBe(3);
      expect(at('/signups')[2]?.message.object).toBe(third);
      const erased = { accountId, type: 'signup.assessed', object: 'req_erased', at: Date.now() } as const;
      await store.saveEvent({ ...erased, data: {}, verdict: 'block' });
      await until(() => last(destination)).toMatchObject({ state: 'dropped' });
    });

    it('for Slack are a sentence with a link', async () => {
      const made = await newDestination('/slack', { kind: 'slack', address: 'hooks.slack.com' });
      const secrets = { current: box.encrypt(`${origin}/slack`, made.id), previous: null };
      await store.changeDestination(made.accountId, made.id, { secrets });
      start();
      const data = { text: 'Far more <signups> than usual & more.' };
      await happens(made, 'alr_1', { data });
      await until(() => at('/slack').length).toBe(1);
      const [{ message, headers }] = at('/slack') as [Received];
      expect(headers).not.toHaveProperty('webhook-signature');
      const text = 'Far more &lt;signups&gt; than usual &amp; more.';
      expect(message).toMatchObject({
        text: `Shop &lt;1&gt;: ${text}`,
        blocks: [
          {
            text: {
              text: `*Shop &lt;1&gt;*: ${text} <https://gatehouse.example.com/accounts/${made.accountId}/alerts/alr_1|Open in Gatehouse>`,
            },
          },
          { type: 'context' },
        ],
      });
    });

    it('are each tried once, however many processes deliver', async () => {
      const destination = await newDestination('/many');
      for (let n = 0; n < 60; n += 1) await happens(destination, `alr_${n % 7}`, { data: { n } });
      for (let n = 0; n < 3; n += 1) start();
      await until(() => at('/many').length).toBeGreaterThanOrEqual(60);
      expect(new Set(at('/many').map(({ message }) => message.id)).size).toBe(60);
      expect(at('/many')).toHaveLength(60);
      for (let object = 0; object < 7; object += 1) {
        const own = at('/many').filter(({ message }) => message.object === `alr_${object}`);
        const numbers = own.map(({ message }) => (message.data as { n: number }).n);
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      }
    });
  });
}
