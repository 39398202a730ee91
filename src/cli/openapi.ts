/** gatehouse openapi */
import type { Command } from 'commander';
import { command } from './options.ts';
import { type OutputOptions, printLine } from './output.ts';

export function openapi(): Command {
  const description = 'Print the OpenAPI 3.1 document.';
  const help = ['print the document (default)', 'print only its operations, a line each'] as const;
  return command('openapi', description, [], ...help).action(async ({ text }: OutputOptions) => {
    const { buildOpenApi } = await import('../contract/openapi.ts');
    const document = buildOpenApi();
    if (text !== true) return printLine(JSON.stringify(document, null, 2));
    for (const line of operationsOf(document)) printLine(line);
  });
}

function operationsOf({ paths = {} }: { readonly paths?: object }): string[] {
  return Object.entries(paths as Record<string, Record<string, { summary?: string }>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(
        ([method, { summary = '' }]) => `${method.toUpperCase().padEnd(6)} ${path}  ${summary}`,
      ),
  );
}
