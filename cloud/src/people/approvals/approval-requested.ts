import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { CloudEnv } from '../../platform/http/cloud-env.ts';
import { json } from '../../platform/http/route-schemas.ts';
import type { AwaitsApproval } from './second-person.ts';

export const ApprovalRequestedSchema = z
  .strictObject({ approvalId: z.string() })
  .meta({ id: 'ApprovalRequested', example: { approvalId: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11' } });

/** The response of a route whose act may need a second person. */
export const APPROVAL_RESPONSE = {
  202: {
    description:
      'Nothing is done yet: it is above a limit of the site, and waits for a second person at `Location`',
    headers: { Location: { description: 'Its address', schema: { type: 'string' as const } } },
    content: json(ApprovalRequestedSchema),
  },
};

/** 202: nothing is done, and a second person decides. */
export function approvalRequested(c: Context<CloudEnv>, { id }: AwaitsApproval) {
  return c.json({ approvalId: id }, 202, { Location: `/approval/${id}` });
}
