import type { WebClient } from '@slack/web-api';

/** Returns the id of the app's direct conversation with a user. Slack: conversations.open. */
export async function openConversation(client: WebClient, userId: string): Promise<string> {
  const { channel } = await client.conversations.open({ users: userId });
  if (channel?.id === undefined) {
    throw new Error('Slack opened no conversation');
  }
  return channel.id;
}
