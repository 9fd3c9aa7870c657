export { createUsageChart, type UsageChart } from './usage-chart.ts';
export type { Share, UsagePicture } from './usage-picture.ts';
