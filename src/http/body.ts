/** Reads a request body: UTF-8 JSON, whatever its content type says; anything else is an unusable body. */
import { isUtf8 } from 'node:buffer';
import { Problem } from '../contract/problem.ts';

const BYTE_ORDER_MARK = '\ufeff';

/** @param firstField the parameter to blame when the body as a whole is unusable. @throws Problem `missing_field` */
export function readJson(bytes: unknown, firstField: string): object {
  const value = Buffer.isBuffer(bytes) && isUtf8(bytes) ? parse(bytes.toString('utf8')) : undefined;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Problem('missing_field', firstField, {
    message: 'The body is not a JSON object.',
    resolution: 'Send a JSON object in UTF-8 with the header `Content-Type: application/json`.',
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}
