import { z } from 'zod';
import { definedFaults } from '../../domain/messages/message-checks.ts';
import { readSenderId } from '../../domain/messages/sender-id.ts';

/** A request for a sender ID, as it was typed into the form. */
export interface SenderIdForm {
  senderId: string;
  useCase: string;
  company: string;
}

export type ReadSenderIdForm =
  | { ok: true; form: SenderIdForm }
  | { ok: false; faults: Partial<Record<keyof SenderIdForm, string>> };

/** What the ledger keeps of a request. */
export const senderIdSummarySchema = z.object({ senderId: z.string(), company: z.string() });

/** Reads the whole form (API §4.11). Each fault is a sentence to show beside its field. */
export function readSenderIdForm(typed: SenderIdForm): ReadSenderIdForm {
  const read = readSenderId(typed.senderId);
  const useCase = typed.useCase.trim();
  const company = typed.company.trim();
  if (!read.ok || useCase === '' || company === '') {
    const faults = definedFaults({
      senderId: read.ok ? undefined : read.reason,
      useCase: useCase === '' ? 'Write a sample of what you will send.' : undefined,
      company: company === '' ? 'Enter the name of the company.' : undefined,
    });
    return { ok: false, faults };
  }
  return { ok: true, form: { senderId: read.senderId, useCase, company } };
}
