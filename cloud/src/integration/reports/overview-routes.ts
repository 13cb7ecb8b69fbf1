import { nowUtc } from '@hlid/node/clock';
import { createRoute, type z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { ALL_RIGHTS, type Caller, ownRows } from '../../platform/http/caller.ts';
import { type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { inputError } from '../../platform/http/errors.ts';
import { json, LIST_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { CameraQuerySchema, CameraReportSchema, readCameraReport } from './camera-report.ts';
import { DeviceQuerySchema, DeviceReportSchema, readDeviceReport } from './device-report.ts';
import { FILE_RESPONSES, fileFormat, fileName, sendPieces, tableOptions } from './file-answer.ts';
import {
  OccupancyHoursQuerySchema,
  OccupancyHoursSchema,
  OccupancyQuerySchema,
  OccupancyReportSchema,
  readOccupancy,
  readOccupancyHours,
} from './occupancy-report.ts';
import { OverviewSchema } from './overview-report.ts';
import { PermitQuerySchema, PermitReportSchema, readPermitReport } from './permit-report.ts';
import { OverviewQuerySchema, readOverview } from './read-overview.ts';
import { cameraFile, deviceFile, occupancyFile, overviewFile, permitFile } from './report-files.ts';

const tags = ['Reports'];

function answerOf<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { 200: { description, content: json(schema) }, ...LIST_REFUSALS };
}

const overviewRoute = createRoute({
  method: 'get',
  path: '/reports/overview',
  tags,
  summary: 'Get how sites are doing, beside the same days a week, a month and a year before',
  description:
    'Income needs the permission `money`, the rest `visits`; what the caller may not see is null. From totals that are ' +
    'kept with each visit, decision and invoice. A visit counts on the day on which it began, its length and its ' +
    'departure on the day on which it ended, on the clock of its site. Voided visits are not counted.',
  request: { query: OverviewQuerySchema },
  responses: answerOf(OverviewSchema, 'The figures'),
});

const overviewDownloadRoute = createRoute({
  method: 'get',
  path: '/reports/overview/download',
  tags,
  summary: 'Export the periods of the overview as a spreadsheet',
  request: { query: OverviewQuerySchema.extend(tableOptions) },
  responses: FILE_RESPONSES,
});

const occupancyRoute = createRoute({
  method: 'get',
  path: '/reports/occupancy',
  tags,
  summary: 'Get the cars inside a site and its zones at any moment of the past',
  request: { query: OccupancyQuerySchema },
  responses: answerOf(OccupancyReportSchema, 'The cars'),
});

const hoursRoute = createRoute({
  method: 'get',
  path: '/reports/occupancy/hours',
  tags,
  summary: 'Get arrivals, departures and cars inside of each hour, for a site and its zones',
  description: 'Without the corrections of people. At most 31 days.',
  request: { query: OccupancyHoursQuerySchema },
  responses: answerOf(OccupancyHoursSchema, 'The hours'),
});

const hoursDownloadRoute = createRoute({
  method: 'get',
  path: '/reports/occupancy/download',
  tags,
  summary: 'Export the hours of a site and its zones as a spreadsheet',
  request: { query: OccupancyHoursQuerySchema.extend(tableOptions) },
  responses: FILE_RESPONSES,
});

const camerasRoute = createRoute({
  method: 'get',
  path: '/reports/cameras',
  tags,
  summary: 'Get how well cameras read, by hour of the day, and which lens to clean',
  description:
    'What is judged and matched is of a camera’s lane. `clean-lens`: of at least 50 reads 5 % or more had no plate or ' +
    'one that a person changed, and that is at least twice the share of as many days before.',
  request: { query: CameraQuerySchema },
  responses: answerOf(CameraReportSchema, 'The cameras'),
});

const camerasDownloadRoute = createRoute({
  method: 'get',
  path: '/reports/cameras/download',
  tags,
  summary: 'Export the hours of the cameras as a spreadsheet',
  request: { query: CameraQuerySchema.extend(tableOptions) },
  responses: FILE_RESPONSES,
});

const devicesRoute = createRoute({
  method: 'get',
  path: '/reports/devices',
  tags,
  summary: 'Get how often and how long devices were down',
  description:
    'An outage lasts from the first report of an alarm until the first report without one, and counts on each of its ' +
    'days. What a site cannot report, because it is off, is not known.',
  request: { query: DeviceQuerySchema },
  responses: answerOf(DeviceReportSchema, 'The devices'),
});

const devicesDownloadRoute = createRoute({
  method: 'get',
  path: '/reports/devices/download',
  tags,
  summary: 'Export the outages of devices as a spreadsheet',
  request: { query: DeviceQuerySchema.extend(tableOptions) },
  responses: FILE_RESPONSES,
});

const permitsRoute = createRoute({
  method: 'get',
  path: '/reports/permits',
  tags,
  summary: 'Get how often permits were used, by whole months',
  request: { query: PermitQuerySchema },
  responses: answerOf(PermitReportSchema, 'The permits'),
});

const permitsDownloadRoute = createRoute({
  method: 'get',
  path: '/reports/permits/download',
  tags,
  summary: 'Export the use of permits as a spreadsheet',
  request: { query: PermitQuerySchema.extend(tableOptions) },
  responses: FILE_RESPONSES,
});

export function overviewRoutes({ db, clock, log }: CloudContext) {
  const ownOf = (c: Context<CloudEnv>) => ownRows(callerOf(c, 'account'));
  const overviewFor = (c: Context<CloudEnv>, query: z.infer<typeof OverviewQuerySchema>) => {
    const caller = callerOf(c, 'account');
    return readOverview(db, query, { own: ownRows(caller), rights: rightsOf(caller), now: nowUtc(clock) });
  };

  return createRouter()
    .openapi(overviewRoute, async (c) => {
      const read = await overviewFor(c, c.req.valid('query'));
      return read.ok ? c.json(read.overview, 200) : inputError(c, ...read.mistakes);
    })
    .openapi(overviewDownloadRoute, async (c) => {
      const { format, language, separator, ...query } = c.req.valid('query');
      const read = await overviewFor(c, query);
      if (!read.ok) return inputError(c, ...read.mistakes);
      const name = fileName('overview', [query['date.from'], query['date.to']], format);
      return await sendPieces(c, log, name, () =>
        overviewFile(read.overview, language, fileFormat(format, separator)),
      );
    })
    .openapi(occupancyRoute, async (c) => {
      const read = await readOccupancy(db, c.req.valid('query'), ownOf(c), nowUtc(clock));
      return read.ok ? c.json(read.report, 200) : inputError(c, ...read.mistakes);
    })
    .openapi(hoursRoute, async (c) => {
      const read = await readOccupancyHours(db, c.req.valid('query'), ownOf(c), nowUtc(clock));
      return read.ok ? c.json(read.report, 200) : inputError(c, ...read.mistakes);
    })
    .openapi(hoursDownloadRoute, async (c) => {
      const { format, language, separator, ...query } = c.req.valid('query');
      const read = await readOccupancyHours(db, query, ownOf(c), nowUtc(clock));
      if (!read.ok) return inputError(c, ...read.mistakes);
      const name = fileName('occupancy', [query['date.from'], query['date.to']], format);
      return await sendPieces(c, log, name, () =>
        occupancyFile(read.report, language, fileFormat(format, separator)),
      );
    })
    .openapi(camerasRoute, async (c) => {
      const read = await readCameraReport(db, c.req.valid('query'), ownOf(c));
      return read.ok ? c.json(read.report, 200) : inputError(c, ...read.mistakes);
    })
    .openapi(camerasDownloadRoute, async (c) => {
      const { format, language, separator, ...query } = c.req.valid('query');
      const read = await readCameraReport(db, query, ownOf(c));
      if (!read.ok) return inputError(c, ...read.mistakes);
      const name = fileName('cameras', [query['date.from'], query['date.to']], format);
      return await sendPieces(c, log, name, () =>
        cameraFile(read.report, language, fileFormat(format, separator)),
      );
    })
    .openapi(devicesRoute, async (c) => {
      const read = await readDeviceReport(db, c.req.valid('query'), ownOf(c), nowUtc(clock));
      return read.ok ? c.json(read.report, 200) : inputError(c, ...read.mistakes);
    })
    .openapi(devicesDownloadRoute, async (c) => {
      const { format, language, separator, ...query } = c.req.valid('query');
      const read = await readDeviceReport(db, query, ownOf(c), nowUtc(clock));
      if (!read.ok) return inputError(c, ...read.mistakes);
      const name = fileName('devices', [query['date.from'], query['date.to']], format);
      return await sendPieces(c, log, name, () =>
        deviceFile(read.report, language, fileFormat(format, separator)),
      );
    })
    .openapi(permitsRoute, async (c) => {
      const read = await readPermitReport(db, c.req.valid('query'), ownOf(c));
      return read.ok ? c.json(read.report, 200) : inputError(c, ...read.mistakes);
    })
    .openapi(permitsDownloadRoute, async (c) => {
      const { format, language, separator, ...query } = c.req.valid('query');
      const read = await readPermitReport(db, query, ownOf(c));
      if (!read.ok) return inputError(c, ...read.mistakes);
      const name = fileName('permits', [query['date.from'], query['date.to']], format);
      return await sendPieces(c, log, name, () =>
        permitFile(read.report, language, fileFormat(format, separator)),
      );
    });
}

function rightsOf(caller: Caller) {
  return caller.kind === 'account' ? caller.rights : ALL_RIGHTS;
}
