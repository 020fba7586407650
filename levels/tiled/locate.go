package tiled

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
)

// checkHeader reads the beginning of a map.
func checkHeader(data []byte) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return errors.New("there is no <map>; is it a map of Tiled?")
		}
		if err != nil {
			return err
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if start.Name.Local != "map" {
			return fmt.Errorf("it begins with <%s> instead of <map>", start.Name.Local)
		}
		for _, a := range start.Attr {
			if a.Name.Local == "infinite" && a.Value == "1" {
				return errors.New("the map is infinite; switch that off in Tiled under Map, Map Properties")
			}
		}
		return nil
	}
}

// layerElements are the elements that locate looks at one by one.
var layerElements = []string{"layer", "objectgroup"}

// locate adds the layer that err is about, which the decoder doesn't say. It decodes the map again
// with each of its layers alone.
func locate(fsys fs.FS, name string, data []byte, err error) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	head, depth := int64(-1), 0
	for {
		begin := d.InputOffset()
		token, tokenErr := d.Token()
		if tokenErr != nil {
			return err
		}
		switch t := token.(type) {
		case xml.EndElement:
			depth--
		case xml.StartElement:
			if t.Name.Local == "tileset" { // its tiles have objectgroups, too
				if d.Skip() != nil {
					return err
				}
				continue
			}
			if t.Name.Local == "group" && head < 0 {
				head = begin
			}
			if !slices.Contains(layerElements, t.Name.Local) {
				depth++
				continue
			}
			if head < 0 {
				head = begin
			}
			if d.Skip() != nil {
				return err
			}
			alone := slices.Concat(data[:head], data[begin:d.InputOffset()], []byte("</map>"))
			if _, layerErr := decode(fsys, name, alone); layerErr != nil {
				return fmt.Errorf("layer %q: %w", nameOf(t), layerErr)
			}
		}
	}
}

func nameOf(t xml.StartElement) string {
	for _, a := range t.Attr {
		if a.Name.Local == "name" {
			return a.Value
		}
	}
	return ""
}
