import type { InputBlock, KnownBlock } from '@slack/types';
import { exampleOptOutLink, optOutColumn } from '../../../../domain/messages/opt-out-link.ts';
import { readTemplate, unknownColumns, withoutColumns } from '../../../../domain/messages/template.ts';
import { context, input, option } from '../../../block-kit/build.ts';
import { textLengthBlocks } from '../../../block-kit/descriptions/text-length.ts';
import { messageInput } from '../../../block-kit/inputs/message-input.ts';
import { mrkdwn } from '../../../block-kit/text.ts';

/** A change of these changes the fields of the form, or the line under its message. */
export const formActions = {
  source: 'campaign_source',
  route: 'campaign_route',
  text: 'campaign_text',
  replacedText: 'campaign_replaced_text',
} as const;
export const replaceAction = 'campaign_form_replace';

/**
 * The message with the line under it.
 *
 * @param options.replaced how many times the message was replaced by plain text
 * @param options.offersPlainCells whether the cells that the text uses may be replaced as well
 */
export function messageBlocks(
  {
    text,
    route,
    plainCells = false,
  }: { text: string; route?: string | undefined; plainCells?: boolean | undefined },
  options: {
    replaced?: number | undefined;
    offersPlainCells?: boolean | undefined;
    unicode: boolean;
    optOutAddress: string | undefined;
  },
): KnownBlock[] {
  const { replaced, offersPlainCells = false, unicode, optOutAddress } = options;
  const optOut = optOutAddress === undefined ? '' : ' Opt-out link: {{opt_out}}.';
  const hint = `Use columns: {{first_name}}. Fallback if empty: {{first_name|there}}.${optOut}`;
  const read = readTemplate(text);
  const known = new Map(
    optOutAddress === undefined ? [] : [[optOutColumn, exampleOptOutLink(optOutAddress)]],
  );
  const counted = read.ok ? withoutColumns(read.template, known) : text;
  const isLonger = read.ok && unknownColumns(read.template, [...known.keys()]).length > 0;
  return [
    messageInput(formActions, text, { replaced, hint }),
    ...(isLonger ? [context(mrkdwn`Length without the columns:`)] : []),
    ...textLengthBlocks(counted, { route, unicode, replaceAction }),
    ...(offersPlainCells ? [plainCellsInput(plainCells)] : []),
  ];
}

const plainCellsOption = option('Replace special characters with plain text', 'plain');

function plainCellsInput(isTicked: boolean): InputBlock {
  return input(
    'plain_cells',
    'Columns',
    {
      type: 'checkboxes',
      action_id: 'plain_cells',
      options: [plainCellsOption],
      ...(isTicked ? { initial_options: [plainCellsOption] } : {}),
    },
    { optional: true },
  );
}
