import type { SandboxMessage } from '../../../sandbox/slack/protocol.ts';
import type { SlackView } from '../app/test-workspace.ts';

/** Distinct numbers of one network; every tenth is on Do-Not-Disturb. */
export function manyNumbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `+234805123${String(index).padStart(4, '0')}`);
}

/** The lines of a message's file. */
export async function resultOf(slack: SlackView, { files = [] }: SandboxMessage): Promise<string[]> {
  const [file] = files;
  const answer = await fetch(`${slack.url}${file?.url}`);
  const content = Buffer.from(await answer.arrayBuffer()).toString('utf8');
  return content.trimEnd().split('\r\n');
}
