/** Reads the OpenAPI document for the reference page: its operations in order, and what its schemas point to. */

/** Each operation with its method and path: what one section of the page is about. */
export function listEndpoints({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** The schema itself, where the document only points to it. */
export function resolve(schema, { components }) {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components.schemas[name] ?? schema);
}
