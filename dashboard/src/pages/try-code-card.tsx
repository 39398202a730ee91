/** Shows the request being made as code to paste. */
import { Tabs } from '@mantine/core';
import type { KeyMode } from '../../../src/model/key-mode.ts';
import { Card } from '../ui/card.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { curlOf, type ExampleRequest, javascriptOf, pythonOf } from './request-code.ts';

const LANGUAGES = [
  { id: 'curl', words: 'curl', write: curlOf },
  { id: 'javascript', words: 'JavaScript', write: javascriptOf },
  { id: 'python', words: 'Python', write: pythonOf },
] as const;

export function CodeCard({ request, mode }: { request: ExampleRequest; mode: KeyMode }) {
  const options = {
    origin: window.location.origin,
    key: mode === 'test' ? '<YOUR_SANDBOX_KEY>' : '<YOUR_LIVE_KEY>',
    request,
  };
  return (
    <Card title="As code">
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List mb="sm">
          {LANGUAGES.map(({ id, words }) => (
            <Tabs.Tab key={id} value={id}>
              {words}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {LANGUAGES.map(({ id, words, write }) => (
          <Tabs.Panel key={id} value={id}>
            <CodeBlock label={`Request in ${words}`} code={write(options)} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Card>
  );
}
