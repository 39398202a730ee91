/** The parts of the OpenAPI document that the reference page reads. */

export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly summary: string };
  readonly paths: Record<string, Record<string, DocumentedOperation>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Record<string, DocumentedResponse>;
}

export interface DocumentedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

export interface DocumentedResponse {
  readonly headers: Record<string, { readonly description: string; readonly schema: Schema }>;
  readonly content: Content;
}

type Content = { readonly 'application/json': { readonly schema: Schema } };

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** An operation with its place: what one section of the page is about. */
export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
}

export function listEndpoints({ paths }: ApiDocument): Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** The schema itself, where the document only points to it. */
export function resolve(schema: Schema, { components }: ApiDocument): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components.schemas[name] ?? schema);
}
