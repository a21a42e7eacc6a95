//! Throughput against size, on logarithmic axes, one line for each contender.

use super::{FONT, KEY_WIDTH, LIMIT_COLOUR, Pen, Picture, back_to_front, drawing, key, machine, titled};
use crate::cells::Group;
use crate::contender::{Role, Routine};
use crate::record::{CellRecord, Record};
use crate::size::Bytes;
use plotters::coord::Shift;
use plotters::coord::combinators::LogCoord;
use plotters::prelude::*;

/// One contender's points: bytes and GB/s.
struct Line {
    name: String,
    role: Role,
    pen: Pen,
    points: Vec<(f64, f64)>,
}

/// The picture of one routine.
pub(super) struct Throughput {
    title: String,
    machine: String,
    lines: Vec<Line>,
    caches: Vec<(&'static str, f64)>,
}

impl Throughput {
    /// `None` with fewer than three sizes, which make no line.
    pub(super) fn of(record: &Record, routine: Routine) -> Option<Self> {
        let mut cells: Vec<&CellRecord> =
            record.cells.iter().filter(|c| c.routine == routine && c.group == Group::Fixed).collect();
        cells.sort_by(|a, b| a.bytes.total_cmp(&b.bytes));
        let points = |name: &str| -> Vec<(f64, f64)> {
            cells.iter().filter_map(|c| Some((c.bytes, c.bytes / c.of(name)?.ns.value))).collect()
        };
        let others = back_to_front(record).into_iter().filter(|(_, role, _)| *role != Role::Limit);
        let mut lines: Vec<Line> =
            others.map(|(name, role, pen)| Line { points: points(&name), name, role, pen }).collect();
        let limit: Vec<_> = cells.iter().filter_map(|c| Some((c.bytes, c.bytes / c.limit()?.ns.value))).collect();
        let pen = Pen { colour: LIMIT_COLOUR, width: 1 };
        lines.insert(0, Line { name: "limit".to_owned(), role: Role::Limit, pen, points: limit });
        lines.retain(|line| line.points.len() > 2);
        let m = &record.machine;
        let sides = if routine.has_source() { 2 } else { 1 };
        let caches = [("L1", m.l1d), ("L2", m.l2), ("L3", m.l3)].map(|(name, n)| (name, (n / sides) as f64));
        let title = format!("{routine}: throughput by size");
        (cells.len() > 2).then(|| Self { title, machine: machine(record), lines, caches: caches.to_vec() })
    }

    fn ranges(&self) -> ((f64, f64), (f64, f64)) {
        let all = || self.lines.iter().flat_map(|l| l.points.iter().copied());
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, 0.0f64), |(low, high), v| (low.min(v), high.max(v)))
        };
        (ends(&mut all().map(|p| p.0)), ends(&mut all().map(|p| p.1)))
    }
}

impl Picture for Throughput {
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), String> {
        let area = titled(area, &self.title, &self.machine)?;
        let width = i32::try_from(area.dim_in_pixel().0).unwrap_or(i32::MAX);
        let (area, beside) = area.split_horizontally(width - KEY_WIDTH);
        let names: Vec<(&str, Pen)> = self.lines.iter().rev().map(|line| (line.name.as_str(), line.pen)).collect();
        key(&beside, &names)?;
        let ((left, right), (bottom, top)) = self.ranges();
        let (bottom, top) = (bottom / 1.3, top * 1.5);
        let mut chart = ChartBuilder::on(&area)
            .x_label_area_size(56)
            .y_label_area_size(80)
            .build_cartesian_2d((left..right * 1.05).log_scale().base(2.0), (bottom..top).log_scale())
            .map_err(drawing)?;
        let size = |n: &f64| Bytes(n.round() as usize).to_string();
        chart
            .configure_mesh()
            .light_line_style(RGBColor(246, 246, 246))
            .bold_line_style(RGBColor(228, 228, 228))
            .x_labels(16)
            .y_labels(10)
            .x_label_formatter(&size)
            .y_label_formatter(&|v| if *v < 10.0 { format!("{v:.1}") } else { format!("{v:.0}") })
            .x_desc("bytes a call")
            .y_desc("GB/s")
            .label_style((FONT, 18))
            .axis_desc_style((FONT, 20))
            .draw()
            .map_err(drawing)?;
        self.mark_caches(&mut chart, (left, right), (bottom, top))?;
        self.draw_lines(&mut chart)
    }
}

type LogLog = Cartesian2d<LogCoord<f64>, LogCoord<f64>>;

impl Throughput {
    /// A dashed line where the data of a call fills a cache.
    fn mark_caches<B: DrawingBackend>(
        &self,
        chart: &mut ChartContext<'_, B, LogLog>,
        (left, right): (f64, f64),
        (bottom, top): (f64, f64),
    ) -> Result<(), String> {
        for &(name, n) in self.caches.iter().filter(|(_, n)| (left..right).contains(n)) {
            let style = ShapeStyle::from(RGBColor(110, 110, 160)).stroke_width(1);
            chart.draw_series(DashedLineSeries::new([(n, bottom), (n, top)], 6, 5, style)).map_err(drawing)?;
            let style = (FONT, 18).into_font().color(&RGBColor(80, 80, 140));
            let label = Text::new(format!(" {name}"), (n, top * 0.93), style);
            chart.draw_series([label]).map_err(drawing)?;
        }
        Ok(())
    }

    fn draw_lines<'a, B: DrawingBackend + 'a>(&self, chart: &mut ChartContext<'a, B, LogLog>) -> Result<(), String> {
        for line in &self.lines {
            let style = ShapeStyle::from(line.pen.colour).stroke_width(line.pen.width);
            let points = line.points.iter().copied();
            let drawn = if line.role == Role::Limit {
                chart.draw_series(DashedLineSeries::new(points, 3, 4, style))
            } else {
                chart.draw_series(LineSeries::new(points, style))
            };
            drawn.map_err(drawing)?;
        }
        Ok(())
    }
}
