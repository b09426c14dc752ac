import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, objectAt, objectsAt, stringAt } from '../../../sandbox/lib/json.ts';
import type { SlackView } from '../app/test-workspace.ts';
import type { SlackUser } from './slack-user.ts';

/** What Slackbot got from a tool. */
export interface ToolSeen {
  text: string;
  blocks: JsonObject[];
  isError: boolean;
}

/** Has Slackbot use a tool for a person. Fails where Slackbot could not show its answer. */
export async function asksSlackbot(
  slack: SlackView,
  { id: person, team }: SlackUser,
  tool: string,
  input: JsonObject = {},
): Promise<ToolSeen> {
  const { answer, trouble } = await slack.perform({ do: 'tool', person, tool, input, ...(team && { team }) });
  assert.equal(trouble, undefined);
  return toolSeen(answer);
}

export function toolSeen(answer: unknown): ToolSeen {
  const result = isJsonObject(answer) ? objectAt(answer, 'result') : undefined;
  assert.ok(result, JSON.stringify(answer));
  return {
    text: objectsAt(result, 'content')
      .map((part) => stringAt(part, 'text') ?? '')
      .join('\n'),
    blocks: objectsAt(objectAt(objectAt(result, '_meta'), 'slack'), 'blocks'),
    isError: result.isError === true,
  };
}
