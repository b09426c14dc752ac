import type { KnownBlock } from '@slack/types';
import type { z } from 'zod';
import type { Permission } from '../../../domain/access/roles.ts';
import { withOrigin } from '../../../lib/request-origin.ts';
import { context, section } from '../../block-kit/build.ts';
import { clampMessage, type SlackMessage } from '../../block-kit/message.ts';
import { textOfBlocks, withoutControls } from '../../block-kit/reading.ts';
import { type Markup, mrkdwn, renderFor, withoutNumbers } from '../../block-kit/text.ts';
import { UserError } from '../errors.ts';
import type { User } from '../requests.ts';
import type { RequestContext } from './request-context.ts';

export interface ToolRequest<Input> {
  user: User;
  /** The same when the request is received again, different for any other. It has the epoch of the data, see `withEpoch`. */
  requestId: string;
  input: Input;
}

/** What Slackbot can use for a person: it reads something, or drafts something that the person reviews and sends. */
export interface Tool {
  /** As Slackbot calls it: `look_up_number`. */
  name: string;
  title: string;
  /** For Slackbot's model, which chooses by it. */
  description: string;
  needs: Permission;
  /** Whether it changes nothing, so that Slackbot may use it without asking. */
  readOnly: boolean;
  input: z.ZodObject;
  /** What the person can do next, at the end of an answer that is no error. */
  next?: Markup | undefined;
  /** Returns the answer as the person sees it. Its private values are masked afterwards: Slackbot may repeat it anywhere. */
  run(request: ToolRequest<unknown>): Promise<readonly KnownBlock[]>;
}

/** Defines a tool whose `run` has the types of its input. */
export function defineTool<Input extends z.ZodObject>({
  run,
  ...tool
}: Omit<Tool, 'input' | 'run'> & {
  input: Input;
  run(request: ToolRequest<z.output<Input>>): Promise<readonly KnownBlock[]>;
}): Tool {
  return { ...tool, run: ({ input, ...request }) => run({ ...request, input: tool.input.parse(input) }) };
}

/** A call of a tool. Slack names the user. */
export interface ToolCall {
  workspaceId: string | undefined;
  userId: string;
  /** Names Slack's request. */
  id: string;
  input: unknown;
}

/** What Slackbot gets: `text` for its model, `blocks` to show. */
export interface ToolAnswer extends SlackMessage {
  isError: boolean;
}

/** A tool that authorizes its user, and answers whatever happens. */
export type RoutedTool = Omit<Tool, 'run'> & { answer(call: ToolCall): Promise<ToolAnswer> };

/** In characters: what Slackbot's model reads. */
const maxText = 3_000;

/** A tool of Slackbot. Its errors are its answers. */
export function routeTool(requestContext: RequestContext, tool: Tool): RoutedTool {
  return { ...tool, answer: (call) => answerCall(requestContext, tool, call) };
}

async function answerCall(requestContext: RequestContext, tool: Tool, call: ToolCall): Promise<ToolAnswer> {
  const { observe, reportError, trackRequest } = requestContext;
  let answer = answerOf([], true);
  const work = async () => {
    try {
      answer = answerOf(await runTool(requestContext, tool, call), false);
    } catch (error) {
      const show = async (text: Markup) => {
        answer = answerOf([section(withoutNumbers(text))], true);
      };
      await reportError(error, show, call);
    }
  };
  await withOrigin({ surface: 'slackbot', userId: call.userId }, () =>
    observe({ kind: 'tool', name: tool.name }, () => trackRequest('tool', work)),
  );
  return answer;
}

/**
 * Throws a UserError if the request was already answered by any instance, so that nothing is drafted twice.
 * If the program stopped before answering, a repeated request is performed.
 */
async function runTool(
  { admit, requestIdOf, services }: RequestContext,
  tool: Tool,
  { workspaceId, userId, id, input }: ToolCall,
): Promise<readonly KnownBlock[]> {
  const user = await admit(workspaceId, userId, tool.needs);
  let blocks: readonly KnownBlock[] | undefined;
  await services.once.perform(user.workspaceId, `tool.${id}`, async () => {
    blocks = await tool.run({ user, requestId: requestIdOf(id), input });
  });
  if (blocks === undefined) {
    throw new UserError(mrkdwn`This request was already answered. Nothing was done again.`);
  }
  return tool.next === undefined ? blocks : [...blocks, context(tool.next)];
}

function answerOf(blocks: readonly KnownBlock[], isError: boolean): ToolAnswer {
  const shown = withoutControls(blocks);
  const text = textOfBlocks(renderFor('tool', shown), maxText);
  return { ...clampMessage({ text, blocks: renderFor('channel', shown) }), isError };
}
