/** Reads a request body: at most 64 KiB of UTF-8 JSON that fits its schema. The content type is ignored. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Ajv, type ErrorObject } from 'ajv';
import { Problem, type ProblemCode, type ProblemText } from '../../contract/problem.ts';

/** Members that a request may have beside Node's, about its body. */
export interface WholeBody {
  /** The body, where it came in one piece and nobody reads it yet; to be read at once: its buffer is used again. */
  takeWholeBody?(): Buffer | undefined;
}

export const BODY_LIMIT_BYTES = 64 * 1024;
/** Shared by all schemas. It does not check them against the meta-schema, which took a third of the start time: `messages.test.ts` does. */
const compiler = new Ajv({ verbose: true, strict: false, meta: false, validateSchema: false });
const BYTE_ORDER_MARK = '\ufeff';
/** A wrong type is `missing_field`, except where the contract has a code of its own. */
const BY_WRONG_TYPE: Record<string, ProblemCode> = { email: 'invalid_email', ip: 'invalid_ip' };

/** Turns the bytes of a body into a message. @throws Problem with the parameter at fault */
export type ReadMessage = (bytes: Buffer) => unknown;

/** `schema`: of an object; its first required member is blamed for JSON that is no object. A body that is no JSON at all has no members to blame. */
export function createReadMessage(schema: object): ReadMessage {
  const validate = compiler.compile(schema);
  const firstField = (schema as { required?: string[] }).required?.[0] ?? '';
  return (bytes) => {
    const value = isUtf8(bytes) ? parse(bytes.toString('utf8')) : undefined;
    if (value === undefined)
      throw new Problem('missing_field', undefined, {
        message: 'The body is not JSON.',
        resolution: 'Send a JSON object in UTF-8 with the header `Content-Type: application/json`.',
      });
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new Problem('missing_field', firstField, {
        message: 'The body is not a JSON object.',
        resolution: 'Send a JSON object in UTF-8 with the header `Content-Type: application/json`.',
      });
    }
    if (!validate(value)) throw fromValidation(validate.errors?.[0] as ErrorObject);
    return value;
  };
}

/** Reader of a body, compiled at the first request: there are many routes, and a start should not wait for what few people use. */
export function createReadLazily(schema: object): ReadMessage {
  let read: ReadMessage | undefined;
  return (bytes) => {
    read ??= createReadMessage(schema);
    return read(bytes);
  };
}

/** Reader of an optional body: `null` where it is empty or `null`. */
export function createReadOptional<Body>(schema: object): (bytes: Buffer) => Body | null {
  const read = createReadMessage(schema);
  return (bytes) => (['', 'null'].includes(bytes.toString('utf8').trim()) ? null : (read(bytes) as Body));
}

/** The body, where the strict reader has the whole of it; to be read at once, because its buffer is used again. */
export function takeBody(request: IncomingMessage): Buffer | undefined {
  return (request as WholeBody).takeWholeBody?.();
}

/**
 * The whole body of at most `limitBytes`. Never resolves if the client disconnects before its end.
 * @throws Problem `payload_too_large`
 */
export async function readBody(request: IncomingMessage, limitBytes = BODY_LIMIT_BYTES): Promise<Buffer> {
  const whole = takeBody(request);
  return whole !== undefined && whole.length <= limitBytes ? whole : await collectBody(request, limitBytes);
}

function collectBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) {
      reject(tooLarge(limitBytes));
      return;
    }
    // Joined once: a body that comes byte by byte would cost a second of copying.
    const parts: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      if (length > limitBytes) return;
      length += chunk.length;
      if (length > limitBytes) reject(tooLarge(limitBytes));
      else parts.push(chunk);
    });
    request.on('end', () => {
      if (length <= limitBytes)
        resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, length));
    });
  });
}

function tooLarge(limitBytes: number): Problem {
  return new Problem('payload_too_large', undefined, {
    message: `The body is larger than ${limitBytes / 1024} KiB.`,
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** Blames the first member that does not fit the schema, or the first required one when nothing is usable. */
function fromValidation({ instancePath, keyword, params, data, parentSchema }: ErrorObject): Problem {
  const missing = (params as { missingProperty?: string }).missingProperty;
  const param = missing ?? instancePath.split('/')[1];
  if (param === undefined || param === '') return new Problem('missing_field');
  const absent = missing !== undefined || data === null;
  return new Problem(
    absent ? 'missing_field' : (BY_WRONG_TYPE[param] ?? 'missing_field'),
    param,
    keyword === 'maxItems'
      ? tooManyText(param, (params as { limit: number }).limit)
      : wordsText(memberOf(instancePath, missing), param, parentSchema as WordSchema),
  );
}

/** Member at fault, also inside an array: `outcomes[3].outcome`. */
function memberOf(instancePath: string, missing: string | undefined): string {
  const [first = '', ...rest] = [
    ...instancePath.split('/').slice(1),
    ...(missing === undefined ? [] : [missing]),
  ];
  return rest.reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : `${path}.${part}`), first);
}

/** Schema of a member that takes a few words only, or of the message that it is missing from. */
interface WordSchema {
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, WordSchema>>;
}

function tooManyText(param: string, limit: number): ProblemText {
  return {
    message: `\`${param}\` has more than ${limit} entries.`,
    resolution: `Send at most ${limit} at once.`,
  };
}

/** Names the allowed values; `undefined` for a member that takes others too. */
function wordsText(name: string, param: string, schema: WordSchema): ProblemText | undefined {
  const values = schema.enum ?? schema.properties?.[param]?.enum;
  if (values === undefined) return undefined;
  return {
    message: `\`${name}\` is missing or not one of the allowed values.`,
    resolution: `Send ${values.map((value) => `\`${value}\``).join(' or ')}.`,
  };
}
