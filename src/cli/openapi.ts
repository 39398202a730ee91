/** gatehouse openapi */
import type { Command } from 'commander';
import { command } from './options.ts';
import { printLine } from './output.ts';

export function openapi(): Command {
  return command('openapi', 'Print the OpenAPI 3.1 document.', [], 'print JSON (as it always does)').action(
    async () => {
      const { buildOpenApi } = await import('../contract/openapi.ts');
      printLine(JSON.stringify(buildOpenApi(), null, 2));
    },
  );
}
