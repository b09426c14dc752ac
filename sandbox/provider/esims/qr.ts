import type { JsonObject } from '../../lib/json.ts';
import { ownerOfIccid, tokenInHeader } from '../http/credentials.ts';
import { ProviderErrorReply } from '../http/error-responses.ts';
import { type FullReply, ok } from '../http/replies.ts';
import { type OperationContext, type OperationHandler, operation } from '../operation.ts';
import type { Sim } from '../state/state.ts';
import { inEnvelope } from './envelope.ts';
import { qrImage } from './qr-image.ts';
import { findSim, iccidField } from './sims.ts';

interface QrRequest {
  sim: Sim;
  /** The image's base64. */
  base64: string;
  context: OperationContext;
}

/** The shapes of a QR code's answer, by the last but one digit of the ICCID. No source shows the true one. */
const shapes: readonly { what: string; answer(request: QrRequest): FullReply }[] = [
  { what: 'the bytes of a PNG', answer: ({ sim }) => bytes(sim) },
  { what: 'a data URI in JSON', answer: ({ base64 }) => ok({ qrCode: dataUri(base64) }) },
  { what: 'base64 in JSON', answer: ({ base64 }) => ok({ qrCode: base64 }) },
  {
    what: 'an address in JSON',
    answer: ({ sim, context }) => ok({ qrCodeUrl: `${context.origin}/api/esim/qr/${sim.iccid}` }),
  },
  {
    what: 'a data URI in JSON, in the envelope',
    answer: ({ base64, context }) => fetched({ qrCode: dataUri(base64) }, context),
  },
  {
    what: 'no image, but what to draw it from, in the envelope',
    answer: ({ sim, context }) => fetched({ activationCode: sim.activationCode, smdp: sim.smdp }, context),
  },
  { what: 'a data URI as text', answer: ({ base64 }) => text(dataUri(base64)) },
  { what: 'base64 as text', answer: ({ base64 }) => text(base64) },
  {
    what: 'a 404',
    answer: () => {
      throw new ProviderErrorReply(404, 'The QR code is not ready yet');
    },
  },
  { what: '200 and nothing', answer: () => text('') },
];

/** The shapes by that digit, from 0, for the page. */
export const qrCodeShapes: readonly string[] = shapes.map(({ what }) => what);

/** API §4.13.6. */
const code = operation({
  name: 'esims.qrCode',
  method: 'GET',
  path: '/api/esim/activate/{iccid}/qr/code',
  credentials: tokenInHeader,
  fields: iccidField,
  answer({ iccid }, context) {
    const sim = findSim(context.account, iccid);
    const shape = shapes[Number(iccid.at(-2))];
    if (!shape) {
      throw new Error(`${iccid} does not end with digits`);
    }
    return shape.answer({ sim, base64: qrImage(sim).toString('base64'), context });
  },
});

/** The image behind the address of a QR code. Public, as an address for a browser is. */
const image = operation({
  name: 'esims.qrImage',
  method: 'GET',
  path: '/api/esim/qr/{iccid}',
  credentials: ownerOfIccid,
  fields: iccidField,
  answer: ({ iccid }, { account }) => bytes(findSim(account, iccid)),
});

function bytes(sim: Sim): FullReply {
  return { kind: 'answer', status: 200, headers: { 'content-type': 'image/png' }, body: qrImage(sim) };
}

function text(body: string): FullReply {
  return { kind: 'answer', status: 200, headers: { 'content-type': 'text/plain' }, body };
}

function dataUri(base64: string): string {
  return `data:image/png;base64,${base64}`;
}

function fetched(data: JsonObject, context: OperationContext): FullReply {
  return inEnvelope(data, 'QR code fetched successfully', context);
}

export const qrOperations: readonly OperationHandler[] = [code, image];
