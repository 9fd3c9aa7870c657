import type { EChartsCoreOption } from 'echarts/core';
import type { Share, UsagePicture } from './usage-picture.ts';

/** Of the drawing, in its own units; it is rendered larger, for sharp text. */
export const SIZE = { width: 1_000, height: 760 };

/** On Discord's dark background the card stands out a little; a darkroom's safelight marks what failed. */
const COLOUR = {
  card: '#1e1f22',
  text: '#f2f3f5',
  muted: '#a6a8b0',
  grid: '#3a3c43',
  pictures: '#8ea1ff',
  failed: '#e5573f',
  credits: '#f0b232',
};

const MARGIN = 44;
const HALF = SIZE.width / 2;
/** Of a bar that shows a share: its height, and the width of its name. */
const ROW = 30;
const NAME = 150;
const FONT = { fontFamily: 'Inter', fontSize: 20, color: COLOUR.muted };
const HEADING = { ...FONT, fontSize: 22, fontWeight: 600, color: COLOUR.text } as const;

/** The month as one drawing: totals, pictures and credits per day, and who and what the pictures were of. */
export function chartOption(picture: UsagePicture): EChartsCoreOption {
  const { days, workflows, members, words, locale } = picture;
  const credits = days.map((day) => day.credits);
  const hasCredits = credits.some((spent) => (spent ?? 0) > 0);
  const written = (value: number) => value.toLocaleString(locale, { maximumFractionDigits: 1 });
  return {
    animation: false,
    backgroundColor: COLOUR.card,
    textStyle: FONT,
    title: [
      { text: picture.title, left: MARGIN, top: 30, padding: 0, textStyle: { ...HEADING, fontSize: 34 } },
      ...picture.totals.flatMap(({ label, value }, nth) => totalAt(nth, label, value)),
      { text: words.workflows, left: MARGIN, top: 546, padding: 0, textStyle: HEADING },
      { text: words.members, left: HALF + MARGIN / 2, top: 546, padding: 0, textStyle: HEADING },
    ],
    legend: {
      right: MARGIN,
      top: 36,
      padding: 0,
      itemGap: 22,
      itemWidth: 16,
      itemHeight: 16,
      icon: 'roundRect',
      textStyle: FONT,
      data: [words.pictures, words.failed, ...(hasCredits ? [words.credits] : [])],
    },
    grid: [
      { left: MARGIN, right: MARGIN, top: 206, height: 300, outerBoundsMode: 'same' },
      ...[workflows, members].map((shares, nth) => ({
        left: (nth === 0 ? MARGIN : HALF + MARGIN / 2) + NAME,
        width: HALF - MARGIN * 1.5 - NAME,
        top: 586,
        height: Math.max(1, shares.length) * ROW,
        outerBoundsMode: 'none',
      })),
    ],
    xAxis: [
      {
        gridIndex: 0,
        type: 'category',
        data: days.map(({ label }) => label),
        axisLine: { lineStyle: { color: COLOUR.grid } },
        axisTick: { show: false },
        axisLabel: { ...FONT, interval: 4 },
      },
      ...[workflows, members].map((shares, nth) => ({
        gridIndex: nth + 1,
        type: 'value',
        show: false,
        // Room for the number beside the longest bar.
        max: Math.max(1, ...shares.map(({ pictures }) => pictures)) * 1.25,
      })),
    ],
    yAxis: [
      countAxis(
        days.map(({ pictures, failed }) => pictures + failed),
        written,
      ),
      ...[workflows, members].map((shares, nth) => shareAxis(shares, nth + 1)),
      {
        ...countAxis(
          credits.map((spent) => spent ?? 0),
          written,
        ),
        position: 'right',
        splitLine: { show: false },
        show: hasCredits,
      },
    ],
    series: [
      {
        name: words.pictures,
        type: 'bar',
        stack: 'tasks',
        xAxisIndex: 0,
        yAxisIndex: 0,
        barCategoryGap: '28%',
        itemStyle: { color: COLOUR.pictures, borderRadius: 3 },
        data: days.map(({ pictures }) => pictures),
      },
      {
        name: words.failed,
        type: 'bar',
        stack: 'tasks',
        xAxisIndex: 0,
        yAxisIndex: 0,
        itemStyle: { color: COLOUR.failed, borderRadius: 3 },
        data: days.map(({ failed }) => failed),
      },
      {
        name: words.credits,
        type: 'line',
        xAxisIndex: 0,
        yAxisIndex: 3,
        // A line needs two points.
        symbol: credits[1] === null ? 'circle' : 'none',
        symbolSize: 10,
        lineStyle: { color: COLOUR.credits, width: 4 },
        itemStyle: { color: COLOUR.credits },
        data: hasCredits ? credits : [],
      },
      ...[workflows, members].map((shares, nth) => ({
        type: 'bar',
        xAxisIndex: nth + 1,
        yAxisIndex: nth + 1,
        barWidth: 20,
        itemStyle: { color: COLOUR.pictures, borderRadius: 4 },
        label: {
          ...FONT,
          show: true,
          position: 'right',
          color: COLOUR.text,
          formatter: ({ value }: { value: number }) => written(value),
        },
        data: shares.map(({ pictures }) => pictures),
      })),
    ],
  };
}

/** A total of the month, its number over its label. */
function totalAt(nth: number, label: string, value: string) {
  const left = MARGIN + (nth * (SIZE.width - 2 * MARGIN)) / 4;
  return [
    { text: value, left, top: 96, padding: 0, textStyle: { ...HEADING, fontSize: 40 } },
    { text: label, left, top: 146, padding: 0, textStyle: { ...FONT, fontWeight: 400 } },
  ];
}

const countAxis = (values: readonly number[], written: (value: number) => string) => ({
  gridIndex: 0,
  type: 'value',
  min: 0,
  // An empty month has a scale as well.
  ...(values.every((value) => value === 0) && { max: 4 }),
  minInterval: 1,
  splitNumber: 4,
  axisLabel: { ...FONT, formatter: written },
  splitLine: { lineStyle: { color: COLOUR.grid } },
});

const shareAxis = (shares: readonly Share[], gridIndex: number) => ({
  gridIndex,
  type: 'category',
  inverse: true,
  data: shares.map(({ name }) => name),
  axisLine: { show: false },
  axisTick: { show: false },
  axisLabel: {
    ...FONT,
    color: COLOUR.text,
    align: 'left',
    margin: NAME,
    width: NAME - 12,
    overflow: 'truncate',
  },
});
