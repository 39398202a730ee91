/** Parts that schemas of the management API are made of; each takes its description. */
import { type TSchema, Type } from 'typebox';

export const text = (description: string) => Type.String({ description });
export const flag = (description: string) => Type.Boolean({ description });
export const count = (description: string) => Type.Integer({ minimum: 0, description });
/** RFC 3339. */
export const instant = (description: string) => Type.String({ format: 'date-time', description });
export const instantOrNull = (description: string) =>
  orNull(Type.String({ format: 'date-time' }), description);

export function oneOf<const T extends string>(values: readonly T[], description: string) {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], description });
}

export function orNull<Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}

/** A page of rows. */
export function listOf<Schema extends TSchema>(title: string, row: Schema) {
  return Type.Object(
    {
      data: Type.Array(row, { description: 'A page of the list.' }),
      next: orNull(Type.String(), 'Send it as `after` for the next page; null at the end.'),
    },
    { title },
  );
}
