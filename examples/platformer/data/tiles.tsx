<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.11.0" name="tiles" tilewidth="16" tileheight="16" tilecount="24" columns="8">
 <image source="tiles.png" width="128" height="48"/>
 <tile id="0" class="solid"/>
 <tile id="1" class="solid"/>
 <tile id="2" class="solid"/>
 <tile id="3">
  <objectgroup draworder="index" id="2"><object id="1" x="0" y="0"><polygon points="0,16 16,0 16,16"/></object></objectgroup>
 </tile>
 <tile id="4">
  <objectgroup draworder="index" id="2"><object id="1" x="0" y="0"><polygon points="0,0 16,16 0,16"/></object></objectgroup>
 </tile>
 <tile id="5">
  <objectgroup draworder="index" id="2"><object id="1" x="0" y="0"><polygon points="0,16 16,8 16,16"/></object></objectgroup>
 </tile>
 <tile id="6">
  <objectgroup draworder="index" id="2"><object id="1" x="0" y="0"><polygon points="0,8 16,0 16,16 0,16"/></object></objectgroup>
 </tile>
 <tile id="7">
  <objectgroup draworder="index" id="2"><object id="1" x="0" y="0"><polygon points="0,0 16,8 16,16 0,16"/></object></objectgroup>
 </tile>
 <tile id="8">
  <objectgroup draworder="index" id="2"><object id="1" x="0" y="0"><polygon points="0,8 16,16 0,16"/></object></objectgroup>
 </tile>
 <tile id="9" class="oneway"/>
 <tile id="10" class="ladder">
  <properties><property name="collider" value="trigger"/></properties>
 </tile>
 <tile id="11" class="spikes">
  <properties><property name="collider" value="trigger"/></properties>
 </tile>
 <tile id="12" class="conveyor">
  <properties>
   <property name="collider" value="solid"/>
   <property name="friction" type="float" value="1"/>
   <property name="surfaceVelocityX" type="float" value="40"/>
  </properties>
  <animation>
   <frame tileid="12" duration="50"/>
   <frame tileid="13" duration="50"/>
   <frame tileid="14" duration="50"/>
   <frame tileid="15" duration="50"/>
  </animation>
 </tile>
 <tile id="16" class="conveyor">
  <properties>
   <property name="collider" value="solid"/>
   <property name="friction" type="float" value="1"/>
   <property name="surfaceVelocityX" type="float" value="-40"/>
  </properties>
  <animation>
   <frame tileid="16" duration="50"/>
   <frame tileid="17" duration="50"/>
   <frame tileid="18" duration="50"/>
   <frame tileid="19" duration="50"/>
  </animation>
 </tile>
 <tile id="22" class="solid"/>
 <tile id="23" class="solid"/>
</tileset>
