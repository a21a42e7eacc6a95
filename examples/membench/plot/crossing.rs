//! Two ways of doing the same, and where one overtakes the other.

use super::{FONT, OURS_COLOUR, PEER_COLOURS, Picture, drawing, legend, register_font, save, titled};
use crate::failure::Failure;
use crate::size::Bytes;
use plotters::coord::Shift;
use plotters::prelude::*;
use std::path::Path;

/// Speeds of two ways by size, in GB/s.
#[derive(Clone, Debug)]
pub(crate) struct Crossing {
    pub(crate) name: String,
    pub(crate) machine: String,
    pub(crate) without: Vec<(f64, f64)>,
    pub(crate) with: Vec<(f64, f64)>,
    pub(crate) at: Option<usize>,
}

/// Draws it into `folder`.
pub(crate) fn crossing(folder: &Path, picture: &Crossing) -> Result<(), Failure> {
    register_font()?;
    save(folder, &format!("calibrate-{}", picture.name), picture)
}

impl Picture for Crossing {
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), String> {
        let at = self.at.map_or_else(|| "never".to_owned(), |n| format!("from {}", Bytes(n)));
        let area = titled(area, &format!("{}: {at}", self.name), &self.machine)?;
        let all = || self.without.iter().chain(&self.with);
        let (left, right) = all().fold((f64::INFINITY, 0.0f64), |(l, r), p| (l.min(p.0), r.max(p.0)));
        let top = all().map(|p| p.1).fold(0.0, f64::max) * 1.1;
        let mut chart = ChartBuilder::on(&area)
            .x_label_area_size(56)
            .y_label_area_size(80)
            .build_cartesian_2d((left..right).log_scale().base(2.0), 0.0..top)
            .map_err(drawing)?;
        let size = |n: &f64| Bytes(n.round() as usize).to_string();
        chart
            .configure_mesh()
            .x_label_formatter(&size)
            .light_line_style(WHITE)
            .x_desc("bytes a call")
            .y_desc("GB/s")
            .label_style((FONT, 18))
            .axis_desc_style((FONT, 20))
            .draw()
            .map_err(drawing)?;
        for (label, points, colour) in [("never", &self.without, PEER_COLOURS[0]), ("always", &self.with, OURS_COLOUR)]
        {
            let style = ShapeStyle::from(colour).stroke_width(4);
            chart
                .draw_series(LineSeries::new(points.iter().copied(), style))
                .map_err(drawing)?
                .label(format!("{} = {label}", self.name))
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 28, y)], style));
        }
        if let Some(n) = self.at.map(|n| n as f64).filter(|n| (left..right).contains(n)) {
            let style = ShapeStyle::from(BLACK).stroke_width(1);
            chart.draw_series(DashedLineSeries::new([(n, 0.0), (n, top)], 6, 5, style)).map_err(drawing)?;
        }
        legend(&mut chart, SeriesLabelPosition::UpperRight)
    }
}
