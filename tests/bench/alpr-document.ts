/** The document of an OpenALPR agent for a plate that it sees now, without a picture. */
export function alprDocument(plate: string, number: number): string {
  const now = Date.now();
  const candidates = [
    { plate, confidence: 93.1, matches_template: 0 },
    { plate: `${plate}1`, confidence: 81.4, matches_template: 0 },
  ];
  return JSON.stringify({
    version: 2,
    data_type: 'alpr_results',
    epoch_time: now,
    uuid: `BENCHBENCHBENCHBENCHBENCHBENCHBENCHBENCH-1-${now}-${number}`,
    camera_id: 1,
    agent_uid: 'BENCHBENCHBENCHBENCHBENCHBENCHBENCHBENCH',
    img_width: 1280,
    img_height: 720,
    processing_time_ms: 58.6,
    regions_of_interest: [{ x: 0, y: 0, width: 1280, height: 720 }],
    results: [
      {
        plate,
        confidence: 93.1,
        matches_template: 0,
        plate_index: 0,
        region: 'is',
        region_confidence: 88,
        processing_time_ms: 12.3,
        requested_topn: 10,
        coordinates: [
          { x: 682, y: 342 },
          { x: 805, y: 346 },
          { x: 801, y: 400 },
          { x: 680, y: 396 },
        ],
        candidates,
      },
    ],
  });
}
