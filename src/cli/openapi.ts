/** gatehouse openapi */
import type { Command } from 'commander';
import { buildOpenApi } from '../contract/openapi.ts';
import { command, printLine } from './output.ts';

export function openapi(): Command {
  return command('openapi', 'Print the OpenAPI 3.1 document.', 'print JSON (as it always does)').action(
    () => {
      printLine(JSON.stringify(buildOpenApi(), null, 2));
    },
  );
}
