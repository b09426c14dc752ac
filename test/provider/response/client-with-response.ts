import { Secret } from '../../../src/lib/secret.ts';
import type { Transport } from '../../../src/provider/http/transport.ts';
import { createInsightOperations } from '../../../src/provider/insight.ts';
import { createMessageOperations } from '../../../src/provider/messages.ts';
import { createPhonebookOperations } from '../../../src/provider/phonebooks.ts';
import { createRequestSender } from '../../../src/provider/request/request-sender.ts';
import { createSenderIdOperations } from '../../../src/provider/sender-ids.ts';
import { createTokenOperations } from '../../../src/provider/tokens.ts';
import { testKey } from '../../support/provider/provider-client.ts';

/** The client's operations over a transport with one given response, fast enough for thousands of runs. */
export function clientWithResponse(status: number, body: Buffer, headers: Record<string, string> = {}) {
  const transport: Transport = {
    send: async () => ({ phase: 'responding', head: { status, headers }, body }),
    close: async () => {},
  };
  const call = createRequestSender(transport, new Secret(testKey));
  const dialect = { chatChannel: 'chatapp', chatOtpChannel: 'chatapp_otp', contactDeleteBy: 'path' };
  const messages = createMessageOperations(call, dialect);
  const tokens = createTokenOperations(call, dialect);
  const insight = createInsightOperations(call);
  const senderIds = createSenderIdOperations(call);
  const phonebooks = createPhonebookOperations(call, dialect);
  return {
    send: () => messages.send({ to: number, from: 'Acme', route: 'generic', text: 'Hello' }),
    check: () => insight.checkDnd({ phoneNumber: number }),
    list: () => senderIds.list(),
    reads: [
      () => insight.query({ phoneNumber: number, countryCode: 'NG' }),
      () => phonebooks.contacts({ phonebookId: 'p' }),
    ],
    /** Each with the marker of success that the response must contain. */
    writes: [
      [() => messages.sendBulk({ to: [number], from: 'Acme', route: 'dnd', text: 'Hello' }), /"code":"ok"/i],
      [() => messages.sendChatOtp({ to: number, from: 'Acme', code: '1234' }), /"message_id/],
      [
        () => tokens.send({ ...pin, to: number, from: 'Acme', route: 'dnd', pinPlaceholder: '#', text: '#' }),
        /200/,
      ],
      [() => tokens.generate({ ...pin, phoneNumber: number }), /"otp"/],
      [() => tokens.call({ phoneNumber: number, code: '1234' }), /"code":"ok"/i],
      [() => tokens.email({ emailAddress: 'a@b', code: '1', emailConfigurationId: 'e' }), /"code":"ok"/i],
      [() => senderIds.request({ senderId: 'Acme', useCase: 'Hello', company: 'Acme' }), /"code":"ok"/i],
      [
        () => phonebooks.addContact({ phonebookId: 'p', phoneNumber: number }),
        /"Contact added successfully"/,
      ],
      [() => phonebooks.upload({ phonebookId: 'p', file: 'x', countryCode: '234' }), /"message"/],
      [
        () => phonebooks.deleteContact({ phonebookId: 'p', contactId: 'c' }),
        /"success"|deleted successfully/,
      ],
    ] as const,
  };
}

const number = '2348030000001';
const pin = { pinType: 'NUMERIC', pinAttempts: 1, pinTimeToLive: 0, pinLength: 4 } as const;
