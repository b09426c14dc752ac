import { z } from 'zod';
import { definedFaults } from '../../domain/messages/message-checks.ts';
import { readNewSenderId } from '../../domain/messages/sender-id.ts';

/** A request for a sender ID, as it was typed into the form. */
export interface SenderIdForm {
  senderId: string;
  useCase: string;
  company: string;
}

/** In characters: shorter, a request is declined at once, or stays pending for a question. */
const minSampleLength = 20;
const minSampleWords = 3;
const minCompanyLength = 3;

export type ReadSenderIdForm =
  | { ok: true; form: SenderIdForm }
  | { ok: false; faults: Partial<Record<keyof SenderIdForm, string>> };

/** What the ledger stores of a request. */
export const senderIdSummarySchema = z.object({ senderId: z.string(), company: z.string() });

/** Reads the whole form (API §4.11). Each fault is a sentence to show beside its field. */
export function readSenderIdForm(typed: SenderIdForm): ReadSenderIdForm {
  const read = readNewSenderId(typed.senderId);
  const useCase = typed.useCase.trim();
  const company = typed.company.trim();
  const faults = definedFaults({
    senderId: read.ok ? undefined : read.reason,
    useCase: faultOfSample(useCase),
    company: company.length < minCompanyLength ? 'Enter the full name of the company.' : undefined,
  });
  if (!read.ok || Object.keys(faults).length > 0) {
    return { ok: false, faults };
  }
  return { ok: true, form: { senderId: read.senderId, useCase, company } };
}

/** A sample of a message has words, and enough of them. */
function faultOfSample(sample: string): string | undefined {
  const words = sample.split(/\s+/).filter((word) => /\p{L}/u.test(word));
  return sample.length >= minSampleLength && words.length >= minSampleWords
    ? undefined
    : `Write a whole message, at least ${minSampleLength} characters. The provider’s reviewers read this sample.`;
}
