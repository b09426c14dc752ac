import type { AnyBlock, ConversationsSelect, InputBlock, ModalView } from '@slack/types';
import {
  type ChannelUse,
  channelNote,
  channelUseOf,
  isChannelNote,
} from '../../block-kit/descriptions/channel-note.ts';
import type { Channels } from '../../client/channels.ts';
import type { BeforeAckDeadline, FieldErrors } from '../requests.ts';

/** A field for a channel, and its first or entered choice. */
interface ChannelField {
  block: InputBlock;
  use: ChannelUse;
  channelId: string | undefined;
}

/**
 * Says beneath a form's field for a channel where the app cannot post in it. The router does this for every modal with
 * such a field, so that no feature has to, and no re-rendering of a form loses it.
 */
export function createChannelCheck(channels: Channels) {
  /** Returns the modal with the known facts about its channel, without asking Slack. */
  function withNote(workspaceId: string, view: ModalView): ModalView {
    const field = fieldOf(view.blocks);
    if (field === undefined) {
      return view;
    }
    const { block, use, channelId } = field;
    const access = channelId === undefined ? undefined : channels.known(workspaceId, channelId);
    const note = channelId && access && channelNote(channelId, access, use);
    const blocks = view.blocks.filter((other) => !isChannelNote(other));
    return note
      ? { ...view, blocks: blocks.toSpliced(blocks.indexOf(block) + 1, 0, note) }
      : { ...view, blocks };
  }

  return {
    withNote,

    /** Asks Slack about the modal's channel. Returns the modal if it has to say something else now. */
    async recheck(workspaceId: string, view: ModalView): Promise<ModalView | undefined> {
      const channelId = fieldOf(view.blocks)?.channelId;
      if (channelId === undefined) {
        return undefined;
      }
      await channels.check(workspaceId, channelId);
      const noted = withNote(workspaceId, view);
      return noteIdOf(noted) === noteIdOf(view) ? undefined : noted;
    },

    /**
     * Returns an error beside the field if its channel is archived, by block id. Something is known of the channel then, if
     * Slack says it in time.
     */
    async errors(
      workspaceId: string,
      { blocks }: Pick<ModalView, 'blocks'>,
      beforeAckDeadline: BeforeAckDeadline,
    ): Promise<FieldErrors | undefined> {
      const field = fieldOf(blocks);
      const channelId = field?.channelId;
      if (channelId === undefined) {
        return undefined;
      }
      // Where another instance showed the form, this one asks Slack: what comes next says where the result goes.
      if ((await channels.find(workspaceId, channelId))?.kind !== 'archived') {
        return undefined;
      }
      const access = await beforeAckDeadline(channels.check(workspaceId, channelId));
      return access?.kind === 'archived' && field?.block.block_id !== undefined
        ? { [field.block.block_id]: 'This channel is archived. Choose another channel.' }
        : undefined;
    },
  };
}

function fieldOf(blocks: readonly AnyBlock[]): ChannelField | undefined {
  for (const block of blocks) {
    if (isInput(block) && block.element.type === 'conversations_select') {
      const { action_id, initial_conversation: channelId }: ConversationsSelect = block.element;
      const use = channelUseOf(action_id);
      if (use !== undefined) {
        return { block, use, channelId };
      }
    }
  }
  return undefined;
}

function isInput(block: AnyBlock): block is InputBlock {
  return block.type === 'input';
}

function noteIdOf({ blocks }: ModalView): string | undefined {
  return blocks.find(isChannelNote)?.block_id;
}
