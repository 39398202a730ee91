/** Writes the line of an answered request: what it was, who sent it and how long it took, without personal data. */
import type { Logger } from 'pino';
import type { RequestContext } from './core/request-context.ts';
import type { Route } from './core/request-handler.ts';
import type { Router } from './core/router.ts';

export type LogAnswer = (context: RequestContext, status: number, milliseconds: number) => void;

const ACCOUNT = /^acc_[\w-]{1,64}$/;

/** `isOn`: log at `info`; otherwise only while the level is `debug`, which may change while the service runs. */
export function createAccessLog(router: Router<Route>, log: Logger, isOn: boolean): LogAnswer {
  const level = isOn ? 'info' : 'debug';
  const patterns = new Map<object, string>(
    router.routes().map(({ route, path }) => [route, toTemplate(path)]),
  );

  return (context, status, milliseconds) => {
    if (!log.isLevelEnabled(level)) return;
    const { id, method, operation, route, params, caller, hook, verdict, trace } = context;
    const account = (caller ?? hook)?.account.id ?? params.account ?? '';
    log[level](
      {
        request_id: id,
        method,
        // Never as it was sent: ids and addresses may be in it.
        path: (route && patterns.get(route)) ?? '*',
        operation,
        status,
        ms: Math.round(milliseconds * 10) / 10,
        ...(verdict !== '' && { verdict }),
        ...(ACCOUNT.test(account) && { account }),
        ...(caller !== undefined && { key: caller.key.prefix }),
        ...(hook !== undefined && { hook: hook.hook.id }),
        ...trace,
      },
      'answered',
    );
  };
}

/** `/v1/assess/:request_id?` → `/v1/assess/{request_id}`. */
function toTemplate(path: string): string {
  return path.replace(/:(\w+)\??/g, '{$1}');
}
