import { isJsonObject, type JsonObject, objectAt, objectsAt } from '../../../lib/json.ts';
import { checkMessage } from '../../block-kit/surfaces.ts';
import type { SlackState } from '../../slack.ts';
import { mcpRequest } from '../../transport/requests.ts';
import type { AppResponse } from '../../transport/transport.ts';
import { requirePerson } from '../lookup.ts';
import type { ActionOf, PreparedAction } from '../user-action.ts';

/** Slackbot lists the tools of the app, or uses one for a person. It has no language model: the person picks. */
export function prepareSlackbot(
  { workspace }: SlackState,
  action: ActionOf<'tools'> | ActionOf<'tool'>,
): PreparedAction {
  const person = requirePerson(workspace, action.person);
  const request =
    action.do === 'tools'
      ? mcpRequest({ workspace, person, method: 'tools/list', params: {} })
      : mcpRequest({
          workspace,
          person,
          method: 'tools/call',
          params: { name: action.tool, arguments: action.input },
        });
  return { request, settle: faultOf };
}

/** Returns why Slackbot shows nothing, or not the blocks. */
function faultOf({ failure, body }: AppResponse): string | undefined {
  if (failure !== undefined) {
    return `Slackbot could not reach the app: ${failure}.`;
  }
  const result = isJsonObject(body) ? objectAt(body, 'result') : undefined;
  if (result === undefined) {
    return 'Slackbot got no result.';
  }
  const blocks = blocksOfTool(result);
  const fault = blocks.length === 0 ? undefined : checkMessage({ text: 'An answer', blocks });
  return fault && `Slackbot does not show the blocks: ${fault.error} ${fault.messages.join(' ')}`;
}

/** Returns the blocks of the result of a tool. Slack: Returning rich responses. */
function blocksOfTool(result: JsonObject): JsonObject[] {
  return objectsAt(objectAt(objectAt(result, '_meta'), 'slack'), 'blocks');
}
