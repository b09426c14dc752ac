import type { Button } from '@slack/types';

/** The yes/no dialog that Slack shows before it sends a click. With `danger` its *yes* is red. */
export function confirmDialog(texts: {
  title: string;
  text: string;
  yes: string;
  no: string;
  danger?: boolean;
}): NonNullable<Button['confirm']> {
  const plainText = (text: string) => ({ type: 'plain_text' as const, text });
  return {
    title: plainText(texts.title),
    text: plainText(texts.text),
    confirm: plainText(texts.yes),
    deny: plainText(texts.no),
    ...(texts.danger ? { style: 'danger' as const } : {}),
  };
}
