<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="tiles" tilewidth="16" tileheight="16" tilecount="8" columns="8">
 <image source="tiles.png" width="128" height="16"/>
 <tile id="0" class="solid"/>
 <tile id="1">
  <objectgroup><object id="1" x="0" y="16"><polygon points="0,0 16,-16 16,0"/></object></objectgroup>
 </tile>
 <tile id="2" class="oneway"/>
 <tile id="3" class="ice">
  <properties>
   <property name="collider" value="solid"/>
   <property name="friction" type="float" value="0.02"/>
  </properties>
 </tile>
 <tile id="4" class="water">
  <properties><property name="collider" value="trigger"/></properties>
 </tile>
</tileset>
