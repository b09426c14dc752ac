import { z } from 'zod';
import type { LoggedRequest } from '../../../sandbox/lib/logged-request.ts';

const posts: ReadonlySet<string> = new Set([
  'chat.postMessage',
  'chat.update',
  'files.completeUploadExternal',
]);
const channelId = /^[CG]/;
const person = /<@[UW][A-Z0-9]+>|\\?"user_id\\?":\\?"[UW]/;
const everybody = /<!(?:channel|here|everyone|subteam)/;

const placeSchema = z.object({
  channel: z.string().optional(),
  channel_id: z.string().optional(),
  response_type: z.string().optional(),
});

/**
 * Returns which of Slack's guidelines for channels the app broke in one exchange: what it posts in a channel names the
 * person who asked for it, nothing notifies everybody, and a response to a command is for that person alone.
 */
export function channelFaults({
  from,
  what,
  request,
  answer,
}: Pick<LoggedRequest, 'from' | 'what' | 'request' | 'answer'>): string[] {
  const sent = from === 'app' ? request : answer;
  const text = JSON.stringify(sent) ?? '';
  const place = placeSchema.safeParse(sent).data;
  const channel = place?.channel ?? place?.channel_id ?? '';
  return [
    ...(from === 'app' && posts.has(what) && channelId.test(channel) && !person.test(text)
      ? [`in a channel without who asked for it: ${text}`]
      : []),
    ...(everybody.test(text) ? [`notifies everybody: ${text}`] : []),
    ...(place?.response_type === 'in_channel' ? [`a response for everybody: ${text}`] : []),
  ];
}
